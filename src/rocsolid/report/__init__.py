"""Render plain data as one self-contained HTML page."""

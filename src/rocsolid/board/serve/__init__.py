"""The server of a board: forms and pages for people, a JSON API for programs."""

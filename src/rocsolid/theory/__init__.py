"""The source documents beyond daily use: bounds, trained scorers, limits of NDCG, reproductions."""

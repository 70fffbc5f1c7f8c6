"""What NDCG tends to as lists grow, and which discount can tell two rankers apart."""

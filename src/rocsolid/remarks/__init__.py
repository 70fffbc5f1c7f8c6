"""What a result should make its reader know: each kind of sentence is a check with a code."""

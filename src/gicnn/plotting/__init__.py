"""Pictures: each module chooses the numbers of one picture from tables, and draws just those."""

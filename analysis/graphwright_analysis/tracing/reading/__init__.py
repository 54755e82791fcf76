"""What names and values hold, read from the state: nothing is evaluated here."""

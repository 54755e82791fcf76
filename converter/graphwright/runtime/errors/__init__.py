"""What goes wrong, when a graph is built or when it runs, and how the user is to see it. It decides about no value."""

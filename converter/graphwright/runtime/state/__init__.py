"""What goes into a branch or a loop and comes out of it: values taken apart, merged, put back. It builds neither."""

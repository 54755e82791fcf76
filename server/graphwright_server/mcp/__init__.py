"""A server of the Model Context Protocol, by which coding agents ask about the project that they work on."""

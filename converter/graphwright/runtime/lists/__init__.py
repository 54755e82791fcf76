"""Lists that grow in a graph, and what is walked through or indexed there. It knows neither branches nor loops."""

"""What happens to one event: async functions over ports, free of Faust and Prometheus."""

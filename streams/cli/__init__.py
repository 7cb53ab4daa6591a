"""What each CLI command does, apart from how it is called (`streams.cli.main`)."""

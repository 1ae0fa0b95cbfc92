"""The timer service: one alarm clock for every decider."""

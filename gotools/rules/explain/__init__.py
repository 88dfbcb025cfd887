"""Rules for people: scene and surroundings (what a rule requires around a point), sentences, diagrams, report."""

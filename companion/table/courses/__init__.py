"""Courses: how scores and pegs are compared, for races, marker pegs and boards without sensors. Pure."""

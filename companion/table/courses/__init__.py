"""How scores and pegs meet: race, markers, boards without sensors."""

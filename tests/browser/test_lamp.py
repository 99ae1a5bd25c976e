"""The lamp of the dice button on the bench is lit while dice are due."""

LAMP = "document.querySelector('[data-press=dice] .cap').classList.contains('lit')"
LABEL = "document.querySelector('[data-press=dice]').textContent.trim()"


def test_the_dice_button_is_lit_until_the_last_dice_have_fallen(programs, phones):
    program, phone = programs("--game", "bases"), phones()
    page = phone.open(program.players)
    page.goto(f"{program.watchers}bench")
    phone.wait_until("document.body.dataset.role", "player")
    phone.wait_until(LAMP, True)
    assert page.evaluate(LABEL) == "Dice, lit"
    for seat, dice in ((0, [6]), (1, [1])):
        made = page.request.post(f"{program.watchers}api/moves", data={"type": "roll", "seat": seat, "dice": dice})
        assert made.status == 201
    phone.wait_until(LAMP, False)
    assert page.evaluate(LABEL) == "Dice"

"""Sound: off by default, remembered, and within 300 ms of the award."""

from tests.browser.scenes import SCENES

LISTEN = """window.heard = []; speechSynthesis.cancel = () => heard.push('|');
  speechSynthesis.speak = (speech) => heard.push(speech.lang + ': ' + speech.text, performance.now()); null"""
SAID = "window.heard.filter(each => typeof each === 'string' && each !== '|')"


def test_what_was_counted_is_spoken_where_sound_is_on_and_that_is_remembered(stage, phone):
    play = SCENES["six-card, the play"]
    first = stage.show(**play)
    page = phone.open(stage.url)
    page.evaluate(LISTEN)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 90}))
    assert page.evaluate(SAID) == []
    phone.open_menu("[data-sound=on]")
    phone.wait_until("document.querySelector('[data-sound=on]').getAttribute('aria-pressed')", "true")
    said = {**first["last"], "said": ["Blue played the 5 of spades.", "Blue: fifteen two."]}
    phone.wait_for_snapshot(stage.show(**play | {"moves": 91, "last": said}))
    phone.wait_until(SAID, ["en: Blue played the 5 of spades. Blue: fifteen two."])
    page.reload()
    phone.wait_until("document.querySelector('[data-sound=on]')?.getAttribute('aria-pressed')", "true")
    page.evaluate(LISTEN)
    phone.wait_for_snapshot(stage.show(**play | {"moves": 92, "last": said}))
    phone.wait_until(f"{SAID}.length", 1)
    phone.open_menu("[data-sound=off]")
    phone.wait_for_snapshot(stage.show(**play | {"moves": 93, "last": said}))
    assert len(page.evaluate(SAID)) == 1

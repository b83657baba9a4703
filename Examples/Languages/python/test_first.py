def test_a_person_signs_in(apple, decision):
    decision("continue", email="hide")
    answer = apple.answer()
    assert answer["state"] == "state-1"
    assert {"code", "id_token", "user"} <= answer.keys()

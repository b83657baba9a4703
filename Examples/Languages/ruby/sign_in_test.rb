# frozen_string_literal: true

require "minitest/autorun"
require_relative "app"
require_relative "siwa"

# A person's whole way through an app: sign in, get mail, stop using it.
class SignInTest < Minitest::Test
  attr_reader :app, :siwa

  def setup
    @app = App.new
    @siwa = Siwa.new(return_url: "#{app.url}/callback", notification_url: "#{app.url}/notifications")
    app.siwa = siwa
  end

  def teardown = app.close

  def test_a_person_signs_in_gets_mail_and_leaves
    siwa.decide("continue", email: "hide")
    user = app.redeem(siwa.answer["code"])
    assert user["email"].end_with?("@privaterelay.appleid.com")

    app.write(user["email"], "Welcome")
    assert_equal(["Welcome"], siwa.mail.map { |mail| mail["subject"] })

    siwa.stop_using
    event = app.next_notification
    assert_equal(["consent-revoked", user["sub"]], event.values_at("type", "sub"))
  end

  def test_a_person_cancels
    siwa.decide("cancel")
    assert_equal("user_cancelled_authorize", siwa.answer["error"])
  end

  def test_other_tests_at_the_same_emulator_see_none_of_this
    siwa.post("/signing-keys/rotate", keep_old: false)
    siwa.post("/faults", endpoint: "keys", status: 503)
    keys = URI("#{siwa.apple}/auth/keys")
    assert_equal("503", Net::HTTP.get_response(keys).code)
    published = JSON.parse(Net::HTTP.get(keys))["keys"]
    assert_equal(siwa.get("/state")["signing_keys"], published.map { |key| key["kid"] })

    app.write("maya@example.com", siwa.client_id)
    mail = siwa.get("/mail?person=maya@example.com")["messages"]
    assert_equal([siwa.client_id], mail.map { |message| message["subject"] })

    siwa.decide("cancel")
    assert_equal("user_cancelled_authorize", siwa.answer["error"])
  end
end

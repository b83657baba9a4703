# frozen_string_literal: true

# siwa 0.1.0
# Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.

require "cgi"
require "json"
require "net/http"
require "securerandom"

# An emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has.
class Siwa
  attr_reader :apple, :control, :smtp, :smtp_user, :team_id, :key_id, :private_key, :app_id, :client_id,
              :return_url, :mail_domain, :person

  # Where the emulator is: at SIWA_CONTROL_URL, or started for these tests.
  def self.addresses
    @addresses ||=
      if (control = ENV["SIWA_CONTROL_URL"])
        own_world(control)
      else
        start
      end
  end

  # Others may use the emulator too: these tests have a world of their own there.
  def self.own_world(control)
    world = JSON.parse(Net::HTTP.post(URI("#{control}/worlds"), "{}").body)
    uri = URI("#{control}/worlds/#{world["world"]}")
    remove = -> { Net::HTTP.start(uri.host, uri.port) { |http| http.delete(uri.path) } }
    Minitest.after_run(&remove) unless ENV["SIWA_KEEP_WORLDS"]
    apple = ENV["SIWA_APPLE_URL"]&.+(world["path"]) || world["apple_url"]
    { "apple" => apple, "control" => control + world["path"],
      "smtp" => ENV.fetch("SIWA_SMTP", world["smtp"]), "smtp_user" => world["smtp_user"] }
  end

  def self.start
    ports = %w[--port 0 --control-port 0 --smtp-port 0]
    output = IO.popen([ENV.fetch("SIWA_BINARY", "siwa"), "emulator", "--json", *ports])
    # Minitest runs the tests at exit too, and what is registered first ends last.
    Minitest.after_run { Process.kill("TERM", output.pid) }
    JSON.parse(output.gets)
  end

  def initialize(return_url:, notification_url:)
    addresses = Siwa.addresses
    @apple, @control, @smtp = addresses.values_at("apple", "control", "smtp")
    @smtp_user = addresses.fetch("smtp_user", "tests")
    @return_url = return_url
    name = SecureRandom.hex(4)
    @team_id = "TE#{name.upcase}"
    @app_id = "com.example.#{name}"
    @client_id = "#{app_id}.web"
    @mail_domain = "#{name}.example.com"
    @person = "maya-#{name}@example.com"
    register(notification_url)
  end

  # Decides what the app's next request to sign in comes to: "continue" or "cancel".
  def decide(decision, **choice)
    post("/authorizations/next", person:, client_id:, decision:, **choice)
  end

  # The address to which your server sends a browser.
  def authorize_url
    query = URI.encode_www_form(
      client_id:, redirect_uri: return_url, response_type: "code id_token",
      response_mode: "form_post", scope: "name email", state: "state-1", nonce: "nonce-1"
    )
    "#{apple}/auth/authorize?#{query}"
  end

  # What a browser posts to your server after a decision that was made ahead.
  def answer
    page = Net::HTTP.get(URI(authorize_url))
    inputs = page.scan(/<input type="hidden" name="([^"]*)" value="([^"]*)"/)
    inputs.to_h { |name, value| [name, CGI.unescapeHTML(value)] }
  end

  # The person stops using the app, as in the settings of the Apple Account.
  def stop_using = post("/people/#{person}/stop-using", client_id: app_id)

  # The messages in the person's inbox.
  def mail = get("/mail?person=#{person}")["messages"]

  # Reads something at the control port.
  def get(path) = read(path, Net::HTTP.get_response(URI(control + path)))

  # Changes something at the control port.
  def post(path, **fields)
    read(path, Net::HTTP.post(URI(control + path), JSON.dump(fields)))
  end

  private

  def register(notification_url)
    post("/teams", team_id:)
    @key_id, @private_key = post("/keys", team_id:).values_at("key_id", "private_key_pem")
    post("/apps", client_id: app_id, team_id:, notification_url:)
    post("/services", client_id:, primary_client_id: app_id, return_urls: [return_url])
    post("/mail-sources", team_id:, domain: mail_domain)
    post("/people", email: person, given_name: "Maya")
  end

  def read(path, response)
    # The problem details name the field that is wrong.
    raise "#{path}: #{response.body}" unless response.is_a?(Net::HTTPSuccess)

    JSON.parse(response.body || "null")
  end
end

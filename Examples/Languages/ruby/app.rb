# frozen_string_literal: true

# What a server does for Sign in with Apple, with ruby-jwt. In your tests, your server takes this place.

require "json"
require "jwt"
require "net/http"
require "net/smtp"
require "socket"
require "timeout"

# A server that listens on a port of its own.
class App
  ISSUER = "https://appleid.apple.com"

  attr_accessor :siwa

  def initialize
    @server = TCPServer.new("127.0.0.1", 0)
  end

  def url = "http://127.0.0.1:#{@server.addr[1]}"

  # Exchanges a code; the claims of the verified identity token.
  def redeem(code)
    response = Net::HTTP.post_form(
      URI("#{siwa.apple}/auth/token"),
      client_id: siwa.client_id, client_secret:, code:,
      grant_type: "authorization_code", redirect_uri: siwa.return_url
    )
    verify(JSON.parse(response.body).fetch("id_token"), siwa.client_id)
  end

  # The event of the next notification that Apple posts, verified.
  def next_notification
    payload = JSON.parse(receive).fetch("payload")
    JSON.parse(verify(payload, siwa.app_id).fetch("events"))
  end

  # Writes to a person, through Apple's relay if they hid their address.
  def write(address, subject)
    from = "hello@#{siwa.mail_domain}"
    mail = "From: #{from}\r\nTo: #{address}\r\nSubject: #{subject}\r\n\r\nHello.\r\n"
    host, port = siwa.smtp.split(":")
    Net::SMTP.start(host, port.to_i, user: siwa.smtp_user, secret: "any", authtype: :plain) do |server|
      server.send_message(mail, from, address)
    end
  end

  def close = @server.close

  private

  def client_secret
    now = Time.now.to_i
    claims = { iss: siwa.team_id, sub: siwa.client_id, aud: ISSUER, iat: now, exp: now + 300 }
    JWT.encode(claims, OpenSSL::PKey.read(siwa.private_key), "ES256", kid: siwa.key_id)
  end

  def verify(token, audience)
    keys = JSON.parse(Net::HTTP.get(URI("#{siwa.apple}/auth/keys")))
    JWT.decode(
      token, nil, true,
      algorithms: ["RS256"], jwks: keys, iss: ISSUER, verify_iss: true, aud: audience, verify_aud: true
    ).first
  end

  def receive
    Timeout.timeout(20) do
      connection = @server.accept
      head = connection.gets("\r\n\r\n")
      body = connection.read(head[/^content-length: *(\d+)/i, 1].to_i)
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      connection.close
      body
    end
  end
end

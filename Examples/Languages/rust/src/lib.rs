//! What a server does for Sign in with Apple, with jsonwebtoken. In your tests, your server takes this place.

use jsonwebtoken::{decode, decode_header, encode};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde_json::{json, Value};
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{SystemTime, UNIX_EPOCH};

const ISSUER: &str = "https://appleid.apple.com";

/// Apple's address, and what the developer portal gives.
pub struct Settings {
    pub apple: String,
    pub team_id: String,
    pub key_id: String,
    pub private_key: String,
    pub app_id: String,
    pub client_id: String,
    pub return_url: String,
    pub smtp: String,
    pub smtp_user: String,
    pub mail_domain: String,
}

/// A server that listens on a port of its own.
pub struct App {
    listener: TcpListener,
}

impl App {
    pub fn start() -> Result<App, Box<dyn Error>> {
        Ok(App { listener: TcpListener::bind("127.0.0.1:0")? })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.listener.local_addr().expect("it listens"))
    }

    /// Exchanges a code; the claims of the verified identity token.
    pub fn redeem(&self, settings: &Settings, code: &str) -> Result<Value, Box<dyn Error>> {
        let secret = client_secret(settings)?;
        let grant: Value = ureq::post(&format!("{}/auth/token", settings.apple))
            .send_form(&[
                ("client_id", &settings.client_id),
                ("client_secret", &secret),
                ("code", code),
                ("grant_type", "authorization_code"),
                ("redirect_uri", &settings.return_url),
            ])?
            .into_json()?;
        verify(settings, text(&grant, "id_token")?, &settings.client_id)
    }

    /// The event of the next notification that Apple posts, verified.
    pub fn next_notification(&self, settings: &Settings) -> Result<Value, Box<dyn Error>> {
        let body: Value = serde_json::from_slice(&self.receive()?)?;
        let claims = verify(settings, text(&body, "payload")?, &settings.app_id)?;
        Ok(serde_json::from_str(text(&claims, "events")?)?)
    }

    fn receive(&self) -> Result<Vec<u8>, Box<dyn Error>> {
        let (mut connection, _) = self.listener.accept()?;
        let mut reader = BufReader::new(connection.try_clone()?);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            match line.trim().to_ascii_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse()?,
                Some(_) => {}
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
        Ok(body)
    }
}

/// Writes to a person, through Apple's relay if they hid their address.
pub fn write(settings: &Settings, address: &str, subject: &str) -> Result<(), Box<dyn Error>> {
    let mut server = TcpStream::connect(&settings.smtp)?;
    let mut replies = BufReader::new(server.try_clone()?).lines();
    let from = format!("hello@{}", settings.mail_domain);
    let user = base64::encode(format!("\0{}\0any", settings.smtp_user));
    for (line, code) in [
        (String::new(), "220"),
        ("HELO app.example.com\r\n".to_owned(), "250"),
        (format!("AUTH PLAIN {user}\r\n"), "235"),
        (format!("MAIL FROM:<{from}>\r\n"), "250"),
        (format!("RCPT TO:<{address}>\r\n"), "250"),
        ("DATA\r\n".to_owned(), "354"),
        (format!("From: {from}\r\nTo: {address}\r\nSubject: {subject}\r\n\r\nHello.\r\n.\r\n"), "250"),
        ("QUIT\r\n".to_owned(), "221"),
    ] {
        server.write_all(line.as_bytes())?;
        let reply = replies.next().ok_or("the mail server is gone")??;
        if !reply.starts_with(code) {
            return Err(reply.into());
        }
    }
    Ok(())
}

fn client_secret(settings: &Settings) -> Result<String, Box<dyn Error>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let header = Header { kid: Some(settings.key_id.clone()), ..Header::new(Algorithm::ES256) };
    let claims = json!({
        "iss": settings.team_id, "sub": settings.client_id, "aud": ISSUER,
        "iat": now, "exp": now + 300,
    });
    let pem: String = settings.private_key.lines().filter(|line| !line.starts_with('-')).collect();
    Ok(encode(&header, &claims, &EncodingKey::from_ec_der(&base64::decode(pem)?))?)
}

fn verify(settings: &Settings, token: &str, audience: &str) -> Result<Value, Box<dyn Error>> {
    let keys: Value = ureq::get(&format!("{}/auth/keys", settings.apple)).call()?.into_json()?;
    let kid = decode_header(token)?.kid.ok_or("the token names no key")?;
    let key = keys["keys"].as_array().ok_or("no keys")?.iter().find(|key| key["kid"] == kid);
    let key = key.ok_or("Apple has no such key")?;
    let key = DecodingKey::from_rsa_components(text(key, "n")?, text(key, "e")?)?;
    let mut validation = Validation::new(Algorithm::RS256);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[audience]);
    Ok(decode::<Value>(token, &key, &validation)?.claims)
}

fn text<'a>(object: &'a Value, name: &str) -> Result<&'a str, Box<dyn Error>> {
    object[name].as_str().ok_or_else(|| format!("no {name} in {object}").into())
}

// siwa 0.1.0
//! Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.

use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// An emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has.
pub struct Siwa {
    pub apple: String,
    pub control: String,
    pub smtp: String,
    pub team_id: String,
    pub key_id: String,
    pub private_key: String,
    pub app_id: String,
    pub client_id: String,
    pub return_url: String,
    pub mail_domain: String,
    pub person: String,
    pub smtp_user: String,
    /// Where its world is deleted; empty in an emulator of its own.
    world: String,
    emulator: Option<Child>,
}

impl Siwa {
    /// Uses the emulator at SIWA_CONTROL_URL, or starts one that ends with this value.
    pub fn new(return_url: &str, notification_url: &str) -> Siwa {
        let (addresses, emulator) = match std::env::var("SIWA_CONTROL_URL") {
            Ok(control) => (enter_world(&control), None),
            Err(_) => start(),
        };
        let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        let name = format!("{:08x}", nanoseconds as u32 ^ std::process::id().rotate_left(16));
        let mut siwa = Siwa {
            apple: text(&addresses["apple"]),
            control: text(&addresses["control"]),
            smtp: text(&addresses["smtp"]),
            team_id: format!("TE{}", name.to_uppercase()),
            key_id: String::new(),
            private_key: String::new(),
            app_id: format!("com.example.{name}"),
            client_id: format!("com.example.{name}.web"),
            return_url: return_url.to_owned(),
            mail_domain: format!("{name}.example.com"),
            person: format!("maya-{name}@example.com"),
            smtp_user: addresses["smtp_user"].as_str().unwrap_or("tests").to_owned(),
            world: addresses["world"].as_str().unwrap_or_default().to_owned(),
            emulator,
        };
        siwa.register(notification_url);
        siwa
    }

    fn register(&mut self, notification_url: &str) {
        let team = json!({"team_id": self.team_id});
        self.post("/teams", team.clone());
        let key = self.post("/keys", team);
        self.key_id = text(&key["key_id"]);
        self.private_key = text(&key["private_key_pem"]);
        self.post("/apps", json!({
            "client_id": self.app_id, "team_id": self.team_id, "notification_url": notification_url,
        }));
        self.post("/services", json!({
            "client_id": self.client_id, "primary_client_id": self.app_id,
            "return_urls": [self.return_url],
        }));
        self.post("/mail-sources", json!({"team_id": self.team_id, "domain": self.mail_domain}));
        self.post("/people", json!({"email": self.person, "given_name": "Maya"}));
    }

    /// Decides what the app's next request to sign in comes to: "continue" or "cancel".
    pub fn decide(&self, decision: &str, email: &str) {
        self.post("/authorizations/next", json!({
            "person": self.person, "client_id": self.client_id, "decision": decision, "email": email,
        }));
    }

    /// What a browser posts to your server after a decision that was made ahead.
    pub fn answer(&self) -> HashMap<String, String> {
        let request = ureq::get(&format!("{}/auth/authorize", self.apple))
            .query("client_id", &self.client_id)
            .query("redirect_uri", &self.return_url)
            .query("response_type", "code id_token")
            .query("response_mode", "form_post")
            .query("scope", "name email")
            .query("state", "state-1")
            .query("nonce", "nonce-1");
        let page = request.call().unwrap().into_string().unwrap();
        page.split(r#"<input type="hidden" name=""#)
            .skip(1)
            .filter_map(|rest| rest.split_once(r#"">"#)?.0.split_once(r#"" value=""#))
            .map(|(name, value)| (name.to_owned(), plain(value)))
            .collect()
    }

    /// The person stops using the app, as in the settings of the Apple Account.
    pub fn stop_using(&self) {
        self.post(&format!("/people/{}/stop-using", self.person), json!({"client_id": self.app_id}));
    }

    /// The subjects of the messages in the person's inbox.
    pub fn mail(&self) -> Vec<String> {
        let mail = self.get(&format!("/mail?person={}", self.person));
        mail["messages"].as_array().unwrap().iter().map(|mail| text(&mail["subject"])).collect()
    }

    /// Reads something at the control port.
    pub fn get(&self, path: &str) -> Value {
        read(ureq::get(&format!("{}{path}", self.control)).call())
    }

    /// Changes something at the control port.
    pub fn post(&self, path: &str, fields: Value) -> Value {
        read(ureq::post(&format!("{}{path}", self.control)).send_json(fields))
    }
}

impl Drop for Siwa {
    fn drop(&mut self) {
        if let Some(emulator) = &mut self.emulator {
            let _ = emulator.kill();
            let _ = emulator.wait();
        } else if std::env::var_os("SIWA_KEEP_WORLDS").is_none() || !std::thread::panicking() {
            let _ = ureq::delete(&self.world).call();
        }
    }
}

/// Others may use the emulator too: this test has a world of its own there.
fn enter_world(control: &str) -> Value {
    let world = read(ureq::post(&format!("{control}/worlds")).send_json(json!({})));
    let path = text(&world["path"]);
    let apple = std::env::var("SIWA_APPLE_URL").map(|apple| apple + &path);
    json!({
        "apple": apple.unwrap_or_else(|_| text(&world["apple_url"])),
        "control": format!("{control}{path}"),
        "smtp": setting("SIWA_SMTP", &text(&world["smtp"])),
        "smtp_user": world["smtp_user"],
        "world": format!("{control}/worlds/{}", text(&world["world"])),
    })
}

fn start() -> (Value, Option<Child>) {
    let mut emulator = Command::new(setting("SIWA_BINARY", "siwa"))
        .args(["emulator", "--json", "--port", "0", "--control-port", "0", "--smtp-port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("siwa starts");
    let mut line = String::new();
    BufReader::new(emulator.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (serde_json::from_str(&line).unwrap(), Some(emulator))
}

fn read(answer: Result<ureq::Response, ureq::Error>) -> Value {
    match answer {
        Ok(response) => response.into_json().unwrap(),
        // The problem details name the field that is wrong.
        Err(ureq::Error::Status(_, response)) => panic!("{}", response.into_string().unwrap()),
        Err(error) => panic!("{error}"),
    }
}

fn setting(name: &str, usual: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| usual.to_owned())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn plain(value: &str) -> String {
    value.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

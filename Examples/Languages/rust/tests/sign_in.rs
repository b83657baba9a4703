//! A person's whole way through an app: sign in, get mail, stop using it.

mod siwa;

use app::{App, Settings};
use serde_json::{json, Value};
use siwa::Siwa;

#[test]
fn a_person_signs_in_gets_mail_and_leaves() {
    let (siwa, app, settings) = app_and_apple();
    siwa.decide("continue", "hide");
    let user = app.redeem(&settings, &siwa.answer()["code"]).unwrap();
    let email = user["email"].as_str().unwrap();
    assert!(email.ends_with("@privaterelay.appleid.com"));

    app::write(&settings, email, "Welcome").unwrap();
    assert_eq!(siwa.mail(), ["Welcome"]);

    siwa.stop_using();
    let event = app.next_notification(&settings).unwrap();
    assert_eq!((&event["type"], &event["sub"]), (&"consent-revoked".into(), &user["sub"]));
}

#[test]
fn a_person_cancels() {
    let (siwa, _, _) = app_and_apple();
    siwa.decide("cancel", "share");
    assert_eq!(siwa.answer()["error"], "user_cancelled_authorize");
}

#[test]
fn other_tests_at_the_same_emulator_see_none_of_this() {
    let (siwa, _, settings) = app_and_apple();
    siwa.post("/signing-keys/rotate", json!({"keep_old": false}));
    siwa.post("/faults", json!({"endpoint": "keys", "status": 503}));
    let keys = || ureq::get(&format!("{}/auth/keys", siwa.apple)).call();
    assert!(matches!(keys(), Err(ureq::Error::Status(503, _))));
    let published: Value = keys().unwrap().into_json().unwrap();
    assert_eq!(json!(names(&published["keys"], "kid")), siwa.get("/state")["signing_keys"]);

    app::write(&settings, "maya@example.com", &siwa.client_id).unwrap();
    let mail = siwa.get("/mail?person=maya@example.com");
    assert_eq!(names(&mail["messages"], "subject"), [siwa.client_id.as_str()]);

    siwa.decide("cancel", "share");
    assert_eq!(siwa.answer()["error"], "user_cancelled_authorize");
}

fn names<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|item| item[member].as_str().unwrap()).collect()
}

fn app_and_apple() -> (Siwa, App, Settings) {
    let app = App::start().unwrap();
    let (return_url, notification_url) = (app.url() + "/callback", app.url() + "/notifications");
    let siwa = Siwa::new(&return_url, &notification_url);
    let settings = Settings {
        apple: siwa.apple.clone(),
        team_id: siwa.team_id.clone(),
        key_id: siwa.key_id.clone(),
        private_key: siwa.private_key.clone(),
        app_id: siwa.app_id.clone(),
        client_id: siwa.client_id.clone(),
        return_url,
        smtp: siwa.smtp.clone(),
        smtp_user: siwa.smtp_user.clone(),
        mail_domain: siwa.mail_domain.clone(),
    };
    (siwa, app, settings)
}

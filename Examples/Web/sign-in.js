import { settings } from "./settings.js";

// Registered at Apple as a Return URL of the Services ID, and in SIWA_APP_REDIRECTS.
const redirectURI = location.origin + location.pathname;
const element = (id) => document.getElementById(id);
// The sign-in that is under way: what Apple's popup must bring back, and what the server has not taken yet.
let asked, unsent, renewal;

// The accounts server

async function call(method, path, { body, token } = {}) {
  const headers = {};
  if (body) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await fetch(settings.accounts + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.detail), answer);
  return answer;
}

async function openSession(path, body) {
  element("again").hidden = true;
  try {
    const { token } = await call("POST", path, { body });
    unsent = undefined;
    sessionStorage.setItem("session", token);
  } catch (error) {
    // Apple sends the name once, so the request is kept until the server has it.
    const isLost = error.status === undefined || error.status >= 500;
    unsent = isLost && { path, body: { ...body, resumeToken: error.resumeToken ?? body.resumeToken } };
    element("again").hidden = !unsent;
    if (!unsent) prepare().catch(show);
    throw error;
  }
  await showAccount();
}

// Apple's popup

// The nonce is fetched before the press: after a fetch, Safari would block the popup.
async function prepare() {
  const { nonce, expiresAt } = await call("POST", "/api/nonces");
  asked = { nonce, state: crypto.randomUUID() };
  AppleID.auth.init({
    clientId: settings.servicesID,
    scope: "name email",
    redirectURI,
    usePopup: true,
    ...asked,
  });
  element("signed-out").hidden = false;
  clearTimeout(renewal);
  renewal = setTimeout(() => prepare().catch(show), (Date.parse(expiresAt) - Date.now()) / 2);
}

document.addEventListener("AppleIDSignInOnSuccess", ({ detail }) => {
  const { authorization, user } = detail.data ?? detail;
  if (authorization.state !== asked.state) return show(new Error("This is another sign-in."));
  const body = {
    identityToken: authorization.id_token,
    authorizationCode: authorization.code,
    redirectUri: redirectURI,
    nonce: asked.nonce,
  };
  if (user?.name) body.fullName = { givenName: user.name.firstName, familyName: user.name.lastName };
  openSession("/api/sessions/apple", body).catch(show);
});

// In an embedded browser the popup is blocked, or is closed without having reached this page.
document.addEventListener("AppleIDSignInOnFailure", ({ detail }) => {
  const isPopupLost = ["popup_blocked_by_browser", "popup_closed_by_user"].includes(detail.error);
  if (isPopupLost) redirect().catch(show);
});

// The redirect: the accounts server's own sign-in page leads back here with a code (PKCE, RFC 7636)

async function redirect() {
  const kept = { state: crypto.randomUUID(), verifier: crypto.randomUUID() + crypto.randomUUID() };
  sessionStorage.setItem("redirect", JSON.stringify(kept));
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(kept.verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: settings.appClient,
    redirect_uri: redirectURI,
    state: kept.state,
    code_challenge: base64URL(new Uint8Array(hash)),
    code_challenge_method: "S256",
  });
  location.assign(`${settings.accounts}/sign-in/app?${query}`);
}

// Returns whether the page was opened with an answer of the accounts server.
async function finishRedirect() {
  const answer = new URLSearchParams(location.search);
  const kept = JSON.parse(sessionStorage.getItem("redirect"));
  sessionStorage.removeItem("redirect");
  if (!answer.has("state")) return false;
  history.replaceState(null, "", redirectURI);
  if (answer.get("state") !== kept?.state || answer.get("iss") !== settings.accounts) return false;
  if (!answer.has("code")) return false;
  await openSession("/api/sessions/code", {
    code: answer.get("code"),
    codeVerifier: kept.verifier,
    redirectUri: redirectURI,
    clientId: settings.appClient,
  });
  return true;
}

function base64URL(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

// The page

async function showAccount() {
  const token = sessionStorage.getItem("session");
  const account = token && (await call("GET", "/api/account", { token }).catch(forgetEnded));
  element("signed-in").hidden = !account;
  element("signed-out").hidden = true;
  element("status").textContent = "";
  element("name").textContent = account?.name ?? "somebody without a name";
  element("email").textContent = account?.email ?? "";
  clearTimeout(renewal);
  if (!account) await loadApple();
}

function forgetEnded(error) {
  if (error.status !== 401) throw error;
  sessionStorage.removeItem("session");
}

async function loadApple() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  element("appleid-signin").dataset.color = isDark ? "white" : "black";
  if (!window.AppleID) {
    const script = Object.assign(document.createElement("script"), { src: settings.appleScript });
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(new Error("Apple's script could not be loaded."));
      document.head.append(script);
    });
  }
  await prepare();
}

function show(error) {
  element("status").textContent = error.message;
}

element("again").onclick = () => openSession(unsent.path, unsent.body).catch(show);

element("sign-out").onclick = async () => {
  const token = sessionStorage.getItem("session");
  await call("DELETE", "/api/sessions/current", { token }).catch(forgetEnded);
  sessionStorage.removeItem("session");
  await showAccount();
};

finishRedirect()
  .then((isFinished) => isFinished || showAccount())
  .catch((error) => showAccount().finally(() => show(error)));

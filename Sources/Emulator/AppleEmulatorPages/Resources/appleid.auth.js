// Sign in with Apple for pages: written for this emulator from the documented interface only.
// https://developer.apple.com/documentation/signinwithapplejs
// Nothing here is Apple's. The server calls this function with the titles of a language.
(function (language) {
  "use strict";

  // The version of Apple's script whose interface this one has; Apple's pages see it as `v`.
  const version = "1.5.5";
  const closedCheckMilliseconds = 300;
  const popupSide = 700;
  const buttonID = "appleid-signin";
  const settingNames = {
    clientId: "client-id",
    redirectURI: "redirect-uri",
    scope: "scope",
    state: "state",
    nonce: "nonce",
    usePopup: "use-popup",
  };

  const apple = addressOfApple();
  // The settings passed to `init`; null while only the meta tags have them.
  let initialSettings = null;
  // The sign-in that has an open popup.
  let underWay = null;

  function addressOfApple() {
    const element =
      document.currentScript ?? document.querySelector('script[src*="/appleid.auth.js"]');
    const address = new URL(element.src, document.baseURI);
    // Apple serves the script from another host than its endpoints.
    if (address.hostname === "appleid.cdn-apple.com") address.hostname = "appleid.apple.com";
    // A world of the emulator has a prefix before Apple's paths.
    const [prefix, rest] = address.pathname.split("/appleauth/", 2);
    return address.origin + (rest === undefined ? "" : prefix);
  }

  // Settings

  function metaSettings() {
    const settings = {};
    for (const [name, tag] of Object.entries(settingNames)) {
      const element = document.querySelector(`meta[name="appleid-signin-${tag}"]`);
      if (element) settings[name] = name === "usePopup" ? element.content === "true" : element.content;
    }
    return settings;
  }

  function knownSettings(settings) {
    const known = {};
    for (const name of Object.keys(settingNames)) {
      if (settings?.[name] !== undefined) known[name] = settings[name];
    }
    return known;
  }

  function checkSettings(settings) {
    for (const name of Object.keys(settingNames)) {
      const value = settings[name];
      const isRequired = name === "clientId" || name === "redirectURI";
      const type = name === "usePopup" ? "boolean" : "string";
      if (isRequired ? !value || typeof value !== type : value !== undefined && typeof value !== type) {
        throw new TypeError(`AppleID.auth: ${name} must be a ${type}${isRequired ? ", not empty" : ""}.`);
      }
    }
  }

  function init(settings) {
    const known = knownSettings(settings);
    checkSettings(known);
    initialSettings = known;
    renderButton();
  }

  // Signing in

  function signIn(changes) {
    return start(changes, 1);
  }

  // The trigger is 1 for a call of `signIn` and 2 for a press of the button.
  function start(changes, trigger) {
    const settings = { ...(initialSettings ?? metaSettings()), ...knownSettings(changes) };
    checkSettings(settings);
    if (settings.usePopup) return signInByPopup(authorizeAddress(settings, "web_message", trigger));
    window.location.assign(authorizeAddress(settings, "form_post", trigger));
    return undefined;
  }

  function authorizeAddress(settings, responseMode, trigger) {
    const fields = {
      client_id: settings.clientId,
      redirect_uri: settings.redirectURI,
      response_type: "code id_token",
      scope: settings.scope,
      state: settings.state,
      nonce: settings.nonce,
      response_mode: responseMode,
      frame_id: randomUUID(),
      m: `${initialSettings ? 1 : 2}${trigger}`,
      v: version,
    };
    const query = Object.entries(fields)
      .filter(([, value]) => value)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");
    return `${apple}/auth/authorize?${query}`;
  }

  // `crypto.randomUUID` is missing on pages that came by plain HTTP.
  function randomUUID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  function signInByPopup(address) {
    underWay?.fail("user_trigger_new_signin_flow");
    return new Promise((resolve, reject) => {
      const popup = window.open(address, "Apple authentication", popupFeatures());
      if (!popup) {
        reject(failed("popup_blocked_by_browser"));
        return;
      }
      const timer = setInterval(() => {
        if (popup.closed) underWay.fail("popup_closed_by_user");
      }, closedCheckMilliseconds);
      const end = () => {
        clearInterval(timer);
        underWay = null;
      };
      underWay = {
        popup,
        succeed(data) {
          end();
          resolve(succeeded(data));
        },
        fail(error) {
          end();
          reject(failed(error));
        },
      };
    });
  }

  function popupFeatures() {
    const left = Math.round(window.screenX + (window.outerWidth - popupSide) / 2);
    const top = Math.round(window.screenY + (window.outerHeight - popupSide) / 2);
    return `popup=yes,width=${popupSide},height=${popupSide},left=${left},top=${top},resizable=yes,scrollbars=yes`;
  }

  window.addEventListener("message", (event) => {
    if (!underWay || event.origin !== new URL(apple).origin || event.source !== underWay.popup) return;
    const message = parsed(event.data);
    const data = message?.method === "oauthDone" ? message.data : undefined;
    if (!data?.error && !data?.authorization) return;
    const { popup } = underWay;
    if (data.error) underWay.fail(data.error);
    else underWay.succeed(data);
    popup.close();
  });

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  // Results are reported by the promise and by events of the document.

  function succeeded(data) {
    const result = { authorization: data.authorization };
    if (data.user) result.user = data.user;
    // Apple's sample reads `data`; other code in use reads the members next to it.
    tell("AppleIDSignInOnSuccess", { ...result, data: { ...result } });
    return result;
  }

  function failed(error) {
    const result = { error };
    tell("AppleIDSignInOnFailure", { ...result });
    return result;
  }

  function tell(name, detail) {
    document.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // The button

  function renderButton() {
    const place = document.getElementById(buttonID);
    if (place) place.replaceChildren(makeButton(buttonLook(place.dataset)));
  }

  function buttonLook(data) {
    const type = data.type === "sign in" ? "sign-in" : data.type;
    const mode = word("mode", data.mode, ["center-align", "left-align", "logo-only"]);
    const width = number("width", data.width, 130, 375, "100%");
    const half = (typeof width === "number" ? width : 375) / 2;
    return {
      mode,
      width,
      type: word("type", type, ["sign-in", "continue", "sign-up"]),
      color: word("color", data.color, ["black", "white"]),
      hasBorder: word("border", data.border, ["true", "false"]) === "true",
      radius: number("border-radius", data.borderRadius, 0, 50, 15),
      height: number("height", data.height, 30, 64, "100%"),
      logoSize: word("logo-size", data.logoSize, ["small", "medium", "large"]),
      logoPosition: number("logo-position", data.logoPosition, 0, half, null),
      labelPosition: number("label-position", data.labelPosition, 0, half, null),
    };
  }

  // A missing or invalid value becomes the first word; an invalid one is also logged.
  function word(name, text, words) {
    if (text === undefined || words.includes(text)) return text ?? words[0];
    console.warn(`AppleID.auth: data-${name} must be one of ${words.join(", ")}.`);
    return words[0];
  }

  function number(name, text, least, most, otherwise) {
    if (text === undefined || text === otherwise) return otherwise;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    console.warn(`AppleID.auth: data-${name} must be a number from ${least} to ${most}.`);
    return otherwise;
  }

  function makeButton(look) {
    const title = language.titles[look.type];
    const button = styled("div", boxStyle(look));
    button.setAttribute("role", "button");
    button.setAttribute("tabindex", "0");
    button.setAttribute("aria-label", title.text);
    button.setAttribute("lang", language.tag);
    button.append(look.mode === "logo-only" ? logo("62cqh") : content(look, title));
    listen(button);
    return button;
  }

  function boxStyle(look) {
    const isBlack = look.color === "black";
    const isSquare = look.mode === "logo-only";
    const points = (size) => (typeof size === "number" ? `${size}px` : size);
    const side = typeof look.height === "number" ? look.height : look.width;
    return {
      boxSizing: "border-box",
      containerType: "size",
      position: "relative",
      display: "flex",
      alignItems: "center",
      justifyContent: "center",
      width: points(isSquare ? side : look.width),
      height: isSquare ? "auto" : points(look.height),
      aspectRatio: isSquare ? "1" : "auto",
      minWidth: isSquare ? "30px" : "130px",
      maxWidth: isSquare ? "64px" : "375px",
      minHeight: "30px",
      maxHeight: "64px",
      color: isBlack ? "#fff" : "#000",
      background: isBlack ? "#000" : "#fff",
      border: look.hasBorder ? "1px solid #000" : "none",
      borderRadius: `${look.radius}px`,
      cursor: "pointer",
      userSelect: "none",
    };
  }

  // The title has 43 % of the height, or less if the margins of 8 % require it.
  function content(look, title) {
    const isLeft = look.mode === "left-align";
    const size = isLeft ? { small: 1.35, medium: 1.6, large: 1.9 }[look.logoSize] : 1.35;
    const row = styled("span", {
      position: "absolute",
      inset: "0",
      display: "flex",
      alignItems: "center",
      justifyContent: isLeft ? "flex-start" : "center",
      gap: "0.25em",
      boxSizing: "border-box",
      paddingInline: isLeft ? "8%" : "0",
      whiteSpace: "nowrap",
      pointerEvents: "none",
      font: "500 16px/1.2 system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif",
      fontSize: `min(43cqh, ${(84 / (title.width + 0.25 + size)).toFixed(3)}cqw)`,
    });
    row.dir = language.direction;
    const mark = logo(`${size}em`);
    const label = styled("span", {});
    label.textContent = title.text;
    if (isLeft) place(mark, look.logoPosition);
    if (isLeft) place(label, look.labelPosition);
    row.append(mark, label);
    return row;
  }

  function place(element, position) {
    if (position === null) return;
    element.style.position = "absolute";
    element.style.insetInlineStart = `${position}px`;
  }

  function logo(side) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg");
    const path = document.createElementNS(space, "path");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.setAttribute("aria-hidden", "true");
    Object.assign(picture.style, { width: side, height: side, flex: "none", marginTop: "-0.08em" });
    path.setAttribute("d", language.applePath);
    path.setAttribute("fill", "currentColor");
    picture.append(path);
    return picture;
  }

  function styled(name, style) {
    const element = document.createElement(name);
    Object.assign(element.style, style);
    return element;
  }

  // As with real buttons, Enter acts when pressed and the space bar when released.
  function listen(button) {
    button.addEventListener("click", press);
    button.addEventListener("keydown", (event) => {
      if (event.key === "Enter") press();
      if (event.key === " ") event.preventDefault();
    });
    button.addEventListener("keyup", (event) => {
      if (event.key === " ") press();
    });
  }

  // A page with the button gets the result by the events.
  function press() {
    start({}, 2)?.catch(() => {});
  }

  window.AppleID = { auth: { init, signIn, renderButton } };

  function ready() {
    renderButton();
    tell("AppleIDSigInLoaded");
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", ready);
  else queueMicrotask(ready);
});

// The addresses of `siwa demo`; the README says what they are in production.
export const settings = {
  accounts: "http://localhost:8080",
  appleScript: "http://127.0.0.1:8081/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js",
  servicesID: "com.example.juice.web",
  // The client of SIWA_APP_REDIRECTS, for browsers in which the popup does not work.
  appClient: "com.example.juice",
};

declare global {
  // As in the types of Node and of newer compilers.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Where your server is: its return URL, and where it expects notifications. */
export interface ServerURLs {
  returnURL?: string;
  notificationURL?: string;
}

/** A running emulator, or a world in it. */
export interface Emulator {
  /** The URL for your server's settings, in place of https://appleid.apple.com. */
  readonly url: string;
  /** The control API. */
  readonly control: string;
  /** Host and port of the mail server. */
  readonly smtp: string;
  /** The user name that names the world there. */
  readonly smtpUser: string;
  /** Ends the emulator, or removes the world. */
  stop(): Promise<void>;
}

/** An emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has. */
export class Apple implements Emulator {
  /** Registers them in an emulator. */
  static register(emulator: Emulator, urls?: ServerURLs): Promise<Apple>;
  private constructor();

  readonly url: string;
  readonly control: string;
  readonly smtp: string;
  readonly smtpUser: string;
  readonly teamID: string;
  readonly keyID: string;
  readonly privateKey: string;
  /** The app's bundle identifier. */
  readonly appID: string;
  /** The Services ID. */
  readonly clientID: string;
  readonly returnURL: string;
  /** The domain that your server may send from. */
  readonly mailDomain: string;
  /** The person's email address and password. */
  readonly person: string;
  readonly password: string;

  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
  /** Decides what the app's next request to sign in comes to. */
  decide(
    decision: "continue" | "cancel",
    choice?: { email?: "hide" | "share"; name?: { given_name?: string; family_name?: string } },
  ): Promise<unknown>;
  /** The address to which your server sends a browser. */
  authorizeURL(changes?: Record<string, string>): string;
  /** What a browser posts to your server after a decision that was made ahead. */
  answer(url?: string): Promise<Record<string, string>>;
  /** The person stops using the app, as in the settings of the Apple Account. */
  stopUsing(): Promise<unknown>;
  /** The messages in the person's inbox. */
  mail(): Promise<Array<{ subject: string; [name: string]: unknown }>>;
  /** Reads something at the control port. */
  get(path: string): Promise<any>;
  /** Changes something at the control port. */
  post(path: string, fields: object): Promise<any>;
  /** Removes something at the control port. */
  delete(path: string): Promise<any>;
}

/** The path of siwa: from SIWA_BINARY, else in the PATH, else in this package. */
export function findProgram(): string;
/** The emulator at SIWA_CONTROL_URL, or a started one. */
export function findEmulator(): Promise<Emulator>;
/** An emulator for these tests, with an Apple in it; `stop` ends it. */
export function startApple(urls?: ServerURLs): Promise<Apple>;

// What the routes are made from is part of their signatures: one import brings both.
@_exported import SignInWithApple

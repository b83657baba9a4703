// The identifiers and claims are part of every signature of this module: one import brings both.
@_exported import AppleIdentity

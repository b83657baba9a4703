// The types in public signatures of this module, and nothing else of its dependencies.
@_exported import class AppleEmulator.AppleEmulator
@_exported import struct AppleEmulator.EmulatorConfiguration
@_exported import struct AppleEmulator.Seed
@_exported import enum AppleEmulator.SeedKind
@_exported import struct AppleIdentity.ClientID
@_exported import struct AppleIdentity.PersonName
@_exported import struct AppleIdentity.RealUserStatus
@_exported import struct AppleIdentity.Scope
@_exported import struct AppleIdentity.TeamID
@_exported import struct AppleIdentity.UserID

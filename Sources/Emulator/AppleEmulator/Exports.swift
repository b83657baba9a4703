// The types in public signatures of this module.
@_exported import struct AppleIdentity.ClientID
@_exported import struct AppleIdentity.KeyID
@_exported import struct AppleIdentity.NotificationEvent
@_exported import struct AppleIdentity.TeamID

// The types in public signatures of this module, and nothing else of its dependencies.
@_exported import struct AppleIdentity.ClientID
@_exported import struct AppleIdentity.PersonName

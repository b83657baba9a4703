// What public signatures of this module name, and nothing else of the modules it is made from.
@_exported import struct AppleIdentity.ClientID
@_exported import struct AppleIdentity.PersonName

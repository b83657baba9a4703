// The types in this module's public signatures, and a key set that other modules of this package read.
@_exported import struct AppleIdentity.AuthorizationUser
@_exported import struct AppleIdentity.ClientID
@_exported import struct AppleIdentity.KeyID
@_exported import struct AppleIdentity.NotificationEvent
@_exported import struct AppleIdentity.OAuthErrorResponse
@_exported import struct AppleIdentity.PersonName
@_exported import struct AppleIdentity.RealUserStatus
@_exported import struct AppleIdentity.RelayDomains
@_exported import struct AppleIdentity.Scope
@_exported import struct AppleIdentity.TeamID
@_exported import struct AppleIdentity.UserID
@_exported import struct HTTPTypes.HTTPField
@_exported import struct HTTPTypes.HTTPFields
@_exported import struct HTTPTypes.HTTPRequest
@_exported import struct HTTPTypes.HTTPResponse
@_exported import struct SignedTokens.JSONWebKeySet

#if Vapor
    // The types in this module's public signatures, and no others of the modules that it uses.
    @_exported import struct AccountsAccessTokens.AccessTokenVerifier
    @_exported import struct AccountsAccessTokens.VerifiedAccessToken
    @_exported import struct SignInWithApple.AppleSignIn
    @_exported import struct SignInWithApple.AppleTokens
    @_exported import struct SignInWithApple.AppleTokenRecord
    @_exported import protocol SignInWithApple.AppleTokenStore
    @_exported import struct AppleIdentity.NotificationEvent
    @_exported import struct AppleIdentity.UserID
    @_exported import struct SignInWithApple.NativeEndpoint
    @_exported import enum SignInWithApple.NonceExpectation
    @_exported import struct SignInWithApple.RefusedSignIn
    @_exported import struct SignInWithApple.SignInAnswer
    @_exported import struct SignInWithApple.SignInError
    @_exported import struct SignInWithApple.SignInRequest
    @_exported import struct SignInWithApple.SignInResponse
    @_exported import struct SignInWithApple.TokenSealer
    @_exported import struct SignInWithApple.VerifiedIdentity
    @_exported import struct SignInWithApple.VerifiedNotification
    @_exported import struct SignInWithApple.VerifiedSignIn
    @_exported import struct SignInWithApple.WebFlow
    @_exported import struct SignInWithApple.WebSession
#endif

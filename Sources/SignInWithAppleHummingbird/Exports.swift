// What public signatures of this module name, and nothing else of the modules it is made from.
@_exported import struct SignInWithApple.AppleSignIn
@_exported import struct SignInWithApple.CompletedSignIn
@_exported import struct SignInWithApple.NativeEndpoint
@_exported import struct SignInWithApple.RefusedSignIn
@_exported import enum SignInWithApple.SignInAnswer
@_exported import struct SignInWithApple.SignInResponse
@_exported import struct SignInWithApple.VerifiedNotification
@_exported import struct SignInWithApple.VerifiedSignIn
@_exported import struct SignInWithApple.WebFlow

enum SignInWithApplePlaceholder {}

#if canImport(AuthenticationServices) && canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    #if os(macOS)
        import AppKit
    #else
        import UIKit
    #endif

    /// The form for a username and a password, as the system's store of passwords knows it.
    struct PasswordFields: View {
        #if os(macOS)
            private typealias ContentType = NSTextContentType
        #else
            private typealias ContentType = UITextContentType
        #endif

        @Bindable private var model: SignInModel
        @FocusState private var focus: PasswordForm.Field?

        init(model: SignInModel) {
            _model = Bindable(wrappedValue: model)
        }

        var body: some View {
            VStack(spacing: 12) {
                ForEach(model.form.fields, id: \.self) { field in
                    input(field)
                        .textFieldStyle(.roundedBorder)
                        .textContentType(contentType(of: field))
                        .autocorrectionDisabled()
                        .focused($focus, equals: field)
                        .submitLabel(model.form.next(after: field) == nil ? .go : .next)
                        .onSubmit { goOn(after: field) }
                }
                Button(sendTitle) {
                    send()
                }
                .buttonStyle(.bordered)
                .disabled(!model.form.canBeSent || model.isWorking)
            }
        }

        @ViewBuilder private func input(_ field: PasswordForm.Field) -> some View {
            switch field {
            case .name:
                TextField("Name (optional)", text: $model.form.name)
            case .username:
                TextField("Username", text: $model.form.username)
                    #if !os(macOS)
                        .textInputAutocapitalization(.never)
                    #endif
            case .password:
                SecureField("Password", text: $model.form.password)
            }
        }

        private func contentType(of field: PasswordForm.Field) -> ContentType {
            switch field {
            case .name: .name
            case .username: .username
            case .password: model.form.purpose == .signIn ? .password : .newPassword
            }
        }

        private var sendTitle: LocalizedStringKey {
            model.form.purpose == .signIn ? "Sign In" : "Create Account"
        }

        private func goOn(after field: PasswordForm.Field) {
            focus = model.form.next(after: field)
            if focus == nil { send() }
        }

        private func send() {
            Task { await model.sendForm() }
        }
    }
#endif

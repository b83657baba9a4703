extension ClientEnvironment {
    /// Exports first and comments last, so that even an unquoted `eval` reads the exports.
    var shellLines: [String] {
        let exports = variables(certificate: certificatePath, bundle: bundlePath).map {
            "export \($0.name)=\(Self.quoted($0.path));"
        }
        return exports + (trust + names + ports + java).map(Self.comment)
    }

    private var trust: [String] {
        [
            "",
            "The first three variables replace what a program trusts, so that their file has the",
            "system's certificates and the emulator's. The last one adds the emulator's alone.",
            "The emulator's can vouch for the names below only.",
        ]
    }

    private var names: [String] {
        [
            "",
            "Names, for this machine; take the line out again to reach the real Apple:",
            "  echo '\(hostsLine)' | sudo tee -a /etc/hosts",
        ]
    }

    private var ports: [String] {
        guard port != Self.usualPort else {
            return ["", "Port: \(port), where clients go by themselves."]
        }
        return [
            "",
            "Port: clients go to \(Self.usualPort), and the emulator listens on \(port). One of these, on Linux:",
            "  sudo siwa emulator --tls --tls-port \(Self.usualPort) --tls-data \(Self.quoted(folderPath))",
            "  sudo setcap cap_net_bind_service=+ep \"$(command -v siwa)\"    # then --tls-port \(Self.usualPort) as yourself",
            "  sudo iptables -t nat -A OUTPUT -d \(address) -p tcp --dport \(Self.usualPort) -j REDIRECT --to-ports \(port)",
        ]
    }

    private var java: [String] {
        let store = Self.quoted(folderPath + "java.p12")
        return [
            "",
            "Java trusts a store of its own; a copy of it with the emulator's certificate:",
            "  keytool -importkeystore -srckeystore \"$JAVA_HOME/lib/security/cacerts\" -srcstorepass changeit \\",
            "    -destkeystore \(store) -deststoretype PKCS12 -deststorepass changeit",
            "  keytool -importcert -noprompt -alias siwa -file \(Self.quoted(certificatePath)) \\",
            "    -keystore \(store) -storepass changeit",
            "  java -Djavax.net.ssl.trustStore=\(store) -Djavax.net.ssl.trustStorePassword=changeit",
        ]
    }

    /// A comment, whatever the text: a line break in it, as in a folder's name, doesn't end it.
    static func comment(_ text: String) -> String {
        text.isEmpty ? "#" : "# " + text.replacing("\n", with: "\n# ")
    }

    /// A word that a POSIX shell takes as it is.
    static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

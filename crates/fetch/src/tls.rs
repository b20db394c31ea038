//! Safe connections: who is trusted, and what is spoken.

use std::net::IpAddr;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use crate::client::SettingsError;

/// The protocols we speak, the one we like best first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Makes connections safe.
pub(crate) struct Tls {
    connector: TlsConnector,
}

impl Tls {
    /// Trusts the roots of the system, and those in `extra`, a file in PEM format.
    pub(crate) fn new(extra: &[u8]) -> Result<Self, SettingsError> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(extra) {
            let added = certificate.map_err(|it| it.to_string());
            let added = added.and_then(|it| roots.add(it).map_err(|it| it.to_string()));
            added.map_err(SettingsError::Roots)?;
        }
        // A root that cannot be read is left out: hosts that need it are not trusted, all others are.
        let native = rustls_native_certs::load_native_certs();
        let (known, unknown) = roots.add_parsable_certificates(native.certs);
        tracing::debug!(known, unknown, "roots of the system");
        if roots.is_empty() {
            tracing::warn!("the system trusts nobody: https links fail; install ca-certificates");
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|it| SettingsError::Roots(it.to_string()))?;
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = PROTOCOLS.iter().map(|it| it.to_vec()).collect();
        Ok(Self { connector: TlsConnector::from(Arc::new(config)) })
    }

    /// A safe connection to the host at the other end, which proves that it is this host.
    pub(crate) async fn secure(
        &self,
        host: &Host<&str>,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, String> {
        let name = match host {
            Host::Domain(it) => {
                ServerName::try_from((*it).to_owned()).map_err(|it| it.to_string())?
            }
            Host::Ipv4(it) => ServerName::from(IpAddr::V4(*it)),
            Host::Ipv6(it) => ServerName::from(IpAddr::V6(*it)),
        };
        self.connector.connect(name, stream).await.map_err(|it| it.to_string())
    }
}

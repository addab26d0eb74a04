package org.hourstone.kv.hbase;

import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.exceptions.ConnectionClosedException;
import org.apache.hadoop.hbase.ipc.FallbackDisallowedException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.security.KerberosAuthException;
import org.ietf.jgss.GSSException;
import org.jspecify.annotations.Nullable;

/** Explains why servers refuse access; their exceptions are cryptic. */
final class AccessErrors {
  private AccessErrors() {}

  /**
   * An explanation in one line; null if the failure is not about authentication or authorisation.
   */
  static @Nullable String explain(Throwable failure) {
    KerberosAuthException login = HBaseErrors.find(failure, KerberosAuthException.class);
    if (login != null) {
      return "cannot log in as "
          + login.getPrincipal()
          + " with the keytab "
          + login.getKeytabFile()
          + ": "
          + loginReason(login);
    }
    SaslException sasl = HBaseErrors.find(failure, SaslException.class);
    if (sasl != null) {
      GSSException cause = HBaseErrors.find(sasl, GSSException.class);
      return "the servers refuse the Kerberos ticket: "
          + HBaseErrors.reason(cause == null ? sasl : cause);
    }
    if (HBaseErrors.find(failure, NoTicketException.class) != null) {
      return "the servers require Kerberos, and there is no ticket: give principal and keytab, or"
          + " run kinit";
    }
    if (HBaseErrors.find(failure, FallbackDisallowedException.class) != null) {
      return "hbase-site.xml requires Kerberos, but the servers do not";
    }
    if (HBaseErrors.find(failure, ConnectionClosedException.class) != null) {
      return "the servers close the connection, as they do when they require Kerberos and the"
          + " client is not configured for it";
    }
    if (String.valueOf(failure.getMessage()).contains("Can't get Kerberos realm")) {
      return "no krb5.conf names a default realm; -Djava.security.krb5.conf=FILE names it";
    }
    if (HBaseErrors.find(failure, AccessDeniedException.class) != null) {
      return HBaseErrors.reason(failure);
    }
    return null;
  }

  private static String loginReason(KerberosAuthException failure) {
    LoginException cause = HBaseErrors.find(failure, LoginException.class);
    String reason = cause == null ? HBaseErrors.reason(failure) : HBaseErrors.reason(cause);
    return reason.contains("Unable to obtain password")
        ? "it has no key of this principal"
        : reason;
  }

  /** No principal is logged in. */
  static final class NoTicketException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}

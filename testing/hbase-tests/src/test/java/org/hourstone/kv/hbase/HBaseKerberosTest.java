package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreUri;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An HBase that asks for Kerberos tickets. In a JVM of its own: the JDK and Hadoop keep whom they
 * have logged in, and that they ask for tickets at all, for the whole JVM.
 */
@NeedsHBase
@Tag("kerberos")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HBaseKerberosTest {
  private static final Family FAMILY = new Family("secured", "t");
  private static final byte[] ROW = "row".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] Q = {7};

  @TempDir private static Path directory;
  private static HBaseProcess hbase;
  private static String location;
  private static Path conf;

  @BeforeAll
  static void startServers() throws IOException {
    hbase = HBaseProcess.start("--kerberos");
    StoreUri uri = StoreUri.parse(hbase.uri());
    location = uri.toString();
    conf = Path.of(uri.parameters().get("conf"));
    System.setProperty("java.security.krb5.conf", conf.resolve("krb5.conf").toString());
    try (KeyValueStore store = KeyValueStores.open(hbase.uri())) {
      store.ensure(List.of(new FamilySpec(FAMILY, true)), SchemaMode.CREATE);
    }
  }

  @AfterAll
  static void stopServers() {
    hbase.close();
  }

  @BeforeEach
  void logOut() {
    UserGroupInformation.reset();
  }

  @Test
  void whoHasTheKeyWritesAndReads() {
    try (KeyValueStore store = KeyValueStores.open(hbase.uri())) {
      store.put(FAMILY, ROW, Q, Q);

      assertThat(store.get(FAMILY, ROW, Columns.all()).find(Q)).isEqualTo(Q);
    }
  }

  /** Connections are closed when they are idle, so that the next needs a ticket. */
  @Test
  void aStoreGoesOnWhenItsTicketIsOver() throws IOException {
    ticketsLast("10s");
    Path site =
        site(
            "</configuration>",
            property("hadoop.kerberos.min.seconds.before.relogin", 1)
                + property("hbase.ipc.client.connection.minIdleTimeBeforeClose", 500)
                + property("hbase.security.relogin.maxbackoff", 500)
                + "</configuration>");
    try (KeyValueStore store = KeyValueStores.open(with("tsd", site, conf.resolve("tsd.keytab")))) {
      store.put(FAMILY, ROW, Q, new byte[] {1});
      Instant end = ticketEnd();
      while (!Instant.now().isAfter(end)) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }

      store.put(FAMILY, ROW, Q, new byte[] {2});

      assertThat(store.get(FAMILY, ROW, Columns.all()).find(Q)).containsExactly(2);
      assertThat(ticketEnd()).isAfter(end);
    } finally {
      ticketsLast("1d");
    }
  }

  @Test
  void withoutATicketAStoreIsNotOpened() {
    assertRefused(location + "?conf=" + conf, "there is no ticket: give principal and keytab");
  }

  @Test
  void withoutAnyConfigurationAStoreIsNotOpened() {
    assertRefused(location, "the servers close the connection, as they do when they require Kerb");
  }

  @Test
  void theErrorNamesAKeytabOfAnotherPrincipal() {
    Path other = conf.resolve("hbase.keytab");

    assertRefused(
        with("tsd", other),
        "cannot log in as tsd@HOURSTONE.TEST with the keytab " + other + ": it has no key of this");
  }

  @Test
  void theErrorNamesAnOutdatedKey() throws Exception {
    assertRefused(
        with("tsd", keytab("tsd")), "cannot log in as tsd@HOURSTONE.TEST with the keytab");
  }

  @Test
  void theErrorNamesAnUnknownPrincipal() throws Exception {
    assertRefused(
        with("stranger", keytab("stranger")),
        "cannot log in as stranger@HOURSTONE.TEST",
        "Client not found in Kerberos database");
  }

  @Test
  void theErrorNamesAServerWithAnotherNameThanConfigured() throws IOException {
    Path site = site("hbase/localhost", "hbase/elsewhere");

    assertRefused(
        with("tsd", site, conf.resolve("tsd.keytab")),
        "the servers refuse the Kerberos ticket",
        "Server not found in Kerberos database");
  }

  private static void assertRefused(String uri, String... parts) {
    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> KeyValueStores.open(uri));

    assertThat(failure).hasMessageStartingWith("HBase store " + location + ": cannot connect: ");
    assertThat(failure).hasMessageContainingAll(parts).hasMessageNotContaining("\n");
  }

  private static String with(String name, Path keytab) {
    return with(name, conf, keytab);
  }

  private static String with(String name, Path site, Path keytab) {
    return "%s?conf=%s&principal=%s@HOURSTONE.TEST&keytab=%s"
        .formatted(location, site, name, keytab);
  }

  /** With a key the key distribution centre doesn't know. */
  private static Path keytab(String name) throws Exception {
    String principal = name + "@HOURSTONE.TEST";
    Keytab keytab = new Keytab();
    keytab.addEntry(
        new KeytabEntry(
            new PrincipalName(principal),
            KerberosTime.now(),
            1,
            EncryptionHandler.string2Key(
                principal, "guessed", EncryptionType.AES128_CTS_HMAC_SHA1_96)));
    Path file = directory.resolve(name + ".keytab");
    keytab.store(file.toFile());
    return file;
  }

  /** The directory of the servers' site files with something else in them. */
  private static Path site(String text, String replacement) throws IOException {
    Path to = Files.createTempDirectory(directory, "site");
    for (String name : List.of("core-site.xml", "hbase-site.xml")) {
      String site = Files.readString(conf.resolve(name));
      Files.writeString(to.resolve(name), site.replace(text, replacement));
    }
    return to;
  }

  private static String property(String name, long value) {
    return "<property><name>%s</name><value>%d</value></property>".formatted(name, value);
  }

  /** From the next login on, which reads the file again. */
  private static void ticketsLast(String lifetime) throws IOException {
    Path file = conf.resolve("krb5.conf");
    String always = Files.readString(file).replaceAll("\n  ticket_lifetime = .*", "");
    Files.writeString(
        file, always.replace("[libdefaults]", "[libdefaults]\n  ticket_lifetime = " + lifetime));
  }

  /** For the servers, of whom this JVM has logged in. It may outlast the one it was got with. */
  @SuppressWarnings("removal") // its successor came with Java 18
  private static Instant ticketEnd() throws IOException {
    PrivilegedAction<Subject> subject = () -> Subject.getSubject(AccessController.getContext());
    return UserGroupInformation.getLoginUser()
        .doAs(subject)
        .getPrivateCredentials(KerberosTicket.class)
        .stream()
        .filter(ticket -> ticket.getServer().getName().startsWith("hbase/"))
        .map(ticket -> ticket.getEndTime().toInstant())
        .findFirst()
        .orElseThrow();
  }
}

package org.hourstone.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.junit.SeriesAssert.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs classes of tests, some in parallel, and looks at what has become of them. */
class ExtensionLifeTest {
  private static final Instant TIME = Instant.parse("2023-11-14T22:13:20Z");

  private static EngineExecutionResults run(Class<?>... classes) {
    EngineTestKit.Builder tests = EngineTestKit.engine("junit-jupiter");
    for (Class<?> each : classes) {
      tests.selectors(selectClass(each));
    }
    return tests
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
        .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
        .configurationParameter(
            "junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
        .execute();
  }

  private static void passes(int tests, Class<?>... classes) {
    EngineExecutionResults results = run(classes);
    results.allEvents().failed().list().forEach(event -> assertThat(event.toString()).isEmpty());
    assertThat(results.testEvents().succeeded().count()).isEqualTo(tests);
  }

  private static void usesAlone(Tsdb db, int number) {
    db.put("m", TIME, number, Tags.of("test", String.valueOf(number)));
    assertThat(db)
        .query("sum:m", TIME, TIME.plusSeconds(1))
        .hasOneSeries()
        .withPoints(ExpectedPoint.at(TIME, number));
  }

  @Test
  void twoHundredTestsAtOnceDoNotSeeEachOther() {
    passes(200, InParallel.class);
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class InParallel {
    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension();

    @RepeatedTest(200)
    void test(RepetitionInfo repetition) {
      usesAlone(hourstone.db(), repetition.getCurrentRepetition());
    }
  }

  @Test
  void norDoTheirServers() {
    passes(20, ServersInParallel.class);
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class ServersInParallel {
    private static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension().withServer();

    @RepeatedTest(20)
    void test(RepetitionInfo repetition, TestServer server) {
      assertThat(PORTS.add(server.port())).isTrue();
      usesAlone(hourstone.db(), repetition.getCurrentRepetition());
      PORTS.remove(server.port());
    }
  }

  @Test
  void anExtensionAtAMethodGivesEachRepetitionItsOwn() {
    passes(20, AtTheMethod.class);
  }

  @Execution(ExecutionMode.CONCURRENT)
  static class AtTheMethod {
    @ExtendWith(HourstoneExtension.class)
    @RepeatedTest(20)
    void test(Tsdb db, RepetitionInfo repetition) {
      usesAlone(db, repetition.getCurrentRepetition());
    }
  }

  abstract static class WithStaticField {
    @RegisterExtension static final HourstoneExtension HOURSTONE = new HourstoneExtension();
  }

  static class First extends WithStaticField {
    @Test
    void one(Tsdb db) {
      usesAlone(db, 1);
    }
  }

  static class Second extends WithStaticField {
    @Test
    void two(Tsdb db) {
      usesAlone(db, 2);
    }
  }

  @Test
  void classesThatInheritAnExtensionHaveADatabaseEach() {
    passes(2, First.class, Second.class);
  }

  @Execution(ExecutionMode.SAME_THREAD)
  static class SharedByTheClass {
    private static final Set<Tsdb> SEEN = ConcurrentHashMap.newKeySet();

    @RegisterExtension static final HourstoneExtension HOURSTONE = new HourstoneExtension();

    @BeforeAll
    static void forget() {
      SEEN.clear();
    }

    @RepeatedTest(3)
    void test(Tsdb db) {
      SEEN.add(db);
      assertThat(SEEN).containsExactly(HOURSTONE.db());
    }
  }

  @Test
  void theTestsOfAStaticFieldShareOne() {
    passes(3, SharedByTheClass.class);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @Execution(ExecutionMode.SAME_THREAD)
  static class OneInstance {
    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension();

    private final Set<Tsdb> seen = ConcurrentHashMap.newKeySet();

    @RepeatedTest(3)
    void test(Tsdb db) {
      seen.add(db);
      assertThat(seen).containsExactly(hourstone.db());
    }
  }

  @Test
  void theTestsOfOneInstanceShareOne() {
    passes(3, OneInstance.class);
  }

  static class ClosesItself {
    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension().withServer();

    @Test
    void test(Tsdb db) {
      db.close();
    }
  }

  @Test
  void aTestMayCloseItsDatabase() {
    passes(1, ClosesItself.class);
  }

  static class WithoutServer {
    @RegisterExtension final HourstoneExtension hourstone = new HourstoneExtension();

    @Test
    void test(TestServer server) {}
  }

  @Test
  void aServerThatIsMissingIsExplained() {
    assertThat(failures(WithoutServer.class)).singleElement().asString().contains("withServer()");
  }

  private static List<String> failures(Class<?> tests) {
    return run(tests).testEvents().failed().list().stream().map(Object::toString).toList();
  }
}

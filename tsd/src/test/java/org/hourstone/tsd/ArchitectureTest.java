package org.hourstone.tsd;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hourstone.Engine;
import org.jspecify.annotations.NullMarked;

/**
 * Which package may know which, and which types a public signature may mention. The module poms say
 * the same of modules; this test sees all of them on its class path.
 */
@AnalyzeClasses(packages = "org.hourstone", importOptions = ArchitectureTest.PublishedModules.class)
class ArchitectureTest {
  private static final long MOST_FILES = 60;
  private static final String ROOT = "org.hourstone";
  private static final String KV = "org.hourstone.kv";
  private static final String BACKENDS = "org.hourstone.kv.*..";
  private static final String CODEC = "org.hourstone.codec";
  private static final String CODED = "org.hourstone.codec.coded";
  private static final String ERROR = "org.hourstone.error";
  private static final String INTERNAL = "org.hourstone.internal";
  private static final String UID = "org.hourstone.uid";
  private static final String SERIES = "org.hourstone.series";
  private static final String HEALTH = "org.hourstone.health";
  private static final String INDEX = "org.hourstone.index";
  private static final String ANNOTATION = "org.hourstone.annotation";
  private static final String HISTOGRAM = "org.hourstone.histogram";
  private static final String ROLLUP = "org.hourstone.rollup";
  private static final String META = "org.hourstone.meta";
  private static final String TREE = "org.hourstone.tree";
  private static final String HEAD = "org.hourstone.head";
  private static final String TABLE = "org.hourstone.table";
  private static final String WRITE = "org.hourstone.write";
  private static final String REWRITE = "org.hourstone.rewrite";
  private static final String QUERY = "org.hourstone.query..";
  private static final String QUERIES = "org.hourstone.query";
  private static final String EXPORT = "org.hourstone.export";
  private static final String EXPRESSION = "org.hourstone.expression";
  private static final String TOOL = "org.hourstone.tool";
  private static final String API = "org.hourstone.api..";
  private static final String SERVER = "org.hourstone.server";
  private static final String MIRROR = "org.hourstone.mirror";
  private static final String JUNIT = "org.hourstone.junit";
  private static final String TSD = "org.hourstone.tsd..";

  /** Exported to modules of ours only, or not at all. */
  private static final String[] INNER = {
    INTERNAL,
    "org.hourstone.api.door",
    "org.hourstone.api.influx",
    "org.hourstone.api.otlp",
    "org.hourstone.api.endpoint",
    "org.hourstone.api.name",
    "org.hourstone.api.prometheus",
    "org.hourstone.api.proto",
    "org.hourstone.api.put",
    "org.hourstone.api.query",
    "org.hourstone.api.status",
    "org.hourstone.mirror",
    "org.hourstone.query.plan",
    "org.hourstone.query.rows",
    "org.hourstone.query.run",
    TSD
  };

  /** All but what only tests use. */
  static final class PublishedModules implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return Stream.of(
              "/testing/", "/testkit/", "/hbase/H", "/opentsdb/", "test-classes/", "-tests.jar")
          .noneMatch(location::contains);
    }
  }

  /** But for systemd-notify, with which alone a Java 17 can talk to systemd. */
  @ArchTest
  static final ArchRule noProcessIsStarted =
      noClasses()
          .that(resideOutsideOfPackage(ROOT + ".bench.."))
          .and()
          .doNotHaveFullyQualifiedName(ROOT + ".tsd.session.Systemd")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(ProcessBuilder.class, Process.class);

  @ArchTest static final ArchRule kvIsALeaf = leaf(KV);
  @ArchTest static final ArchRule codecIsALeaf = leaf(CODEC);
  @ArchTest static final ArchRule theCodingOfCellsKnowsOnlyTheBytes = knows(CODED, CODEC);
  @ArchTest static final ArchRule errorIsALeaf = leaf(ERROR);
  @ArchTest static final ArchRule healthKnowsOnlyTheStore = knows(HEALTH, KV, INTERNAL);

  @ArchTest
  static final ArchRule uidKnowsTheStoreAndTheBytes = knows(UID, KV, CODEC, INTERNAL, ERROR);

  @ArchTest static final ArchRule arithmeticKnowsOnlyTheBytes = knows(SERIES, CODEC, ERROR);

  @ArchTest
  static final ArchRule writeDoesNotKnowQuery =
      knows(WRITE, KV, CODEC, UID, HEAD, HISTOGRAM, ROLLUP, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule theHeadKnowsTheStoreAndTheBytes = knows(HEAD, KV, CODEC, INTERNAL);

  @ArchTest
  static final ArchRule rewriteDoesNotKnowWrite =
      knows(REWRITE, KV, CODEC, UID, TABLE, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule queryDoesNotKnowWrite =
      knows(QUERY, KV, CODEC, CODED, UID, SERIES, INDEX, HISTOGRAM, ROLLUP, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule queriesDoNotKnowHowTheyAreRun =
      knows(QUERIES, KV, CODEC, SERIES, HISTOGRAM, ROLLUP, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule packagesOfQueriesHaveNoCycles =
      slices().matching("org.hourstone.query.(*)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule indexKnowsTheStoreAndTheBytes =
      knows(INDEX, KV, CODEC, UID, TABLE, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule aRunOverATableKnowsTheStoreAndTheBytes =
      knows(TABLE, KV, CODEC, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule exportKnowsQueriesButNotHowTheyAreRun =
      knows(EXPORT, KV, CODEC, UID, SERIES, QUERIES, INTERNAL, ERROR);

  @ArchTest static final ArchRule treesKnowNoNames = knows(TREE, KV, CODEC, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule annotationKnowsTheStoreAndTheBytes =
      knows(ANNOTATION, KV, CODEC, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule histogramKnowsTheStoreAndTheBytes =
      knows(HISTOGRAM, KV, CODEC, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule rollupKnowsTheStoreAndTheBytes =
      knows(ROLLUP, KV, CODEC, CODED, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule metaDoesNotKnowWhoWritesPoints =
      knows(META, KV, CODEC, UID, INTERNAL, ERROR);

  @ArchTest
  static final ArchRule nothingInTheEngineKnowsTheFacade =
      noClasses()
          .that()
          .resideInAnyPackage(
              KV,
              CODEC,
              CODED,
              ERROR,
              INTERNAL,
              UID,
              SERIES,
              INDEX,
              HEALTH,
              ANNOTATION,
              HISTOGRAM,
              ROLLUP,
              META,
              TABLE,
              TREE,
              HEAD,
              WRITE,
              REWRITE,
              QUERY,
              EXPORT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ROOT, EXPRESSION, TOOL, API, SERVER, TSD);

  @ArchTest
  static final ArchRule theEngineKnowsNothingAboveIt =
      noClasses()
          .that()
          .resideInAPackage(ROOT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(EXPRESSION, TOOL, API, SERVER, TSD, BACKENDS);

  @ArchTest
  static final ArchRule expressionsKnowNeitherToolsNorApi =
      noClasses()
          .that()
          .resideInAPackage(EXPRESSION)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TOOL, API, SERVER, TSD, BACKENDS);

  @ArchTest
  static final ArchRule toolsKnowNeitherExpressionsNorApi =
      noClasses()
          .that()
          .resideInAPackage(TOOL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(EXPRESSION, API, SERVER, TSD, BACKENDS);

  @ArchTest
  static final ArchRule theApiKnowsNoTransportAndNoTools =
      noClasses()
          .that()
          .resideInAPackage(API)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TOOL, SERVER, TSD, BACKENDS);

  /** Commands use the facade and the tools, as programs do. */
  @ArchTest
  static final ArchRule commandsDoNotReachIntoTheEngine =
      noClasses()
          .that()
          .resideInAPackage(TSD)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Engine.class);

  /** The settings of an open database are its engine's; each is read in one place. */
  @ArchTest
  static final ArchRule settingsAreTakenFromTheEngineOnce =
      noClasses()
          .that()
          .resideInAnyPackage(API, SERVER)
          .and()
          .doNotHaveSimpleName("ApiOptions")
          .and()
          .doNotHaveSimpleName("Server")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Engine.class);

  @ArchTest
  static final ArchRule theServerIsTransportOnly =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(KV, WRITE, QUERY, EXPRESSION, TOOL, TSD, BACKENDS);

  @ArchTest
  static final ArchRule theMirrorKnowsPointsAndNoTransportOfOurs =
      knows(MIRROR, ROOT, CODEC, UID, WRITE, INTERNAL, "org.hourstone.api.request");

  /** It does for a test what a program can do for itself. */
  @ArchTest
  static final ArchRule theJUnitExtensionKnowsOnlyWhatProgramsUse =
      knows(JUNIT, ROOT, QUERIES, WRITE, SERVER).because("it is on the class path of programs");

  @ArchTest
  static final ArchRule nothingKnowsTheJUnitExtension =
      noClasses()
          .that(resideOutsideOfPackage(JUNIT))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(JUNIT);

  @ArchTest
  static final ArchRule backendsKnowOnlyTheSpiOfUs =
      classes()
          .that()
          .resideInAPackage(BACKENDS)
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("org.hourstone..").or(resideInAnyPackage(KV, BACKENDS)));

  @ArchTest
  static final ArchRule backendsDoNotKnowEachOther =
      slices().matching("org.hourstone.kv.(*)..").should().notDependOnEachOther();

  /** JSON is read and written by Jackson, which only this package's signatures may mention. */
  @ArchTest
  static final ArchRule internalKnowsOnlyJacksonTheStoreTheBytesAndErrors =
      classes()
          .that()
          .resideInAPackage(INTERNAL)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "org.jspecify..", "com.fasterxml.jackson..", KV, CODEC, ERROR, INTERNAL);

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("org.hourstone.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesOfTheApiHaveNoCycles =
      slices().matching("org.hourstone.api.(*)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule endpointsDoNotKnowWhoCallsThem =
      noClasses()
          .that()
          .resideInAPackage("org.hourstone.api.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.hourstone.api");

  @ArchTest
  static final ArchRule packagesOfTheCommandLineHaveNoCycles =
      slices().matching("org.hourstone.tsd.(*)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingKnowsTheProgram =
      noClasses()
          .that()
          .resideInAPackage("org.hourstone.tsd.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.hourstone.tsd");

  @ArchTest
  static void noPackageHasMoreThanSixtyFiles(JavaClasses classes) {
    Map<String, Long> files = new TreeMap<>();
    for (JavaClass type : classes) {
      if (type.isTopLevelClass()) {
        files.merge(type.getPackageName(), 1L, Long::sum);
      }
    }
    files.values().removeIf(number -> number <= MOST_FILES);
    assertThat(files).isEmpty();
  }

  /** A name means one thing, wherever it is read. */
  @ArchTest
  static void noTwoClassesHaveOneName(JavaClasses classes) {
    Map<String, String> packages = new TreeMap<>();
    List<String> twice = new ArrayList<>();
    for (JavaClass type : classes) {
      String name = type.getSimpleName();
      boolean isCounted = type.isTopLevelClass() && !name.equals("package-info");
      String other = isCounted ? packages.put(name, type.getPackageName()) : null;
      if (other != null) {
        twice.add(name + " in " + other + " and " + type.getPackageName());
      }
    }
    assertThat(twice).isEmpty();
  }

  @ArchTest
  static final ArchRule signaturesMentionNoLibrary =
      members()
          .that(describe("are public API", ArchitectureTest::isApi))
          .should(
              ArchCondition.from(
                  describe(
                      "mention only types of Java and Hourstone",
                      member ->
                          signature(member)
                              .filter(type -> !isOfJUnit(member.getOwner(), type))
                              .allMatch(ArchitectureTest::isOurs))));

  @ArchTest
  static final ArchRule publicTypesExtendNoLibrary =
      classes()
          .that(describe("are public API", ArchitectureTest::isApi))
          .should(
              ArchCondition.from(
                  describe(
                      "extend and implement only types of Java and Hourstone",
                      type ->
                          Stream.concat(
                                  type.getRawSuperclass().stream(),
                                  type.getRawInterfaces().stream())
                              .filter(each -> !isOfJUnit(type, each))
                              .allMatch(ArchitectureTest::isOurs))));

  @ArchTest
  static final ArchRule everyPackageIsNullMarked =
      classes()
          .should(
              ArchCondition.from(
                  describe(
                      "be in a @NullMarked package",
                      type -> type.getPackage().isAnnotatedWith(NullMarked.class))));

  private static ArchRule leaf(String name) {
    return classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", name)
        .allowEmptyShould(true);
  }

  private static ArchRule knows(String name, String... others) {
    DescribedPredicate<JavaClass> known =
        resideOutsideOfPackage("org.hourstone..")
            .or(resideInAnyPackage(name))
            .or(resideInAnyPackage(others));
    return classes()
        .that()
        .resideInAPackage(name)
        .should()
        .onlyDependOnClassesThat(known)
        .allowEmptyShould(true);
  }

  private static boolean isApi(JavaMember member) {
    return isApi(member.getOwner())
        && (member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED));
  }

  private static boolean isApi(JavaClass type) {
    return type.getModifiers().contains(PUBLIC)
        && !resideInAnyPackage(INNER).test(type)
        && type.getEnclosingClass().map(ArchitectureTest::isApi).orElse(true);
  }

  private static Stream<JavaClass> signature(JavaMember member) {
    Stream<JavaClass> thrown =
        member instanceof JavaCodeUnit code ? code.getExceptionTypes().stream() : Stream.empty();
    return Stream.concat(member.getAllInvolvedRawTypes().stream(), thrown);
  }

  /** An extension of JUnit can't be without its interfaces. */
  private static boolean isOfJUnit(JavaClass owner, JavaClass type) {
    return resideInAnyPackage(JUNIT).test(owner)
        && resideInAnyPackage("org.junit.jupiter.api.extension").test(type);
  }

  private static boolean isOurs(JavaClass type) {
    JavaClass base = type.getBaseComponentType();
    return base.isPrimitive() || resideInAnyPackage("java..", "org.hourstone..").test(base);
  }
}

package org.hourstone.tsd;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** What a backend may know. Here, because this module has all of them on its class path. */
@AnalyzeClasses(packages = "org.hourstone", importOptions = ImportOption.DoNotIncludeTests.class)
class BackendArchitectureTest {
  private static final String SPI = "org.hourstone.kv";
  private static final String BACKENDS = "org.hourstone.kv.*..";

  @ArchTest
  static final ArchRule backendsKnowOnlyTheSpiOfUs =
      classes()
          .that()
          .resideInAPackage(BACKENDS)
          .should()
          .onlyDependOnClassesThat(
              resideOutsideOfPackage("org.hourstone..").or(resideInAnyPackage(SPI, BACKENDS)));

  @ArchTest
  static final ArchRule backendsDoNotKnowEachOther =
      slices().matching("org.hourstone.kv.(*)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule signaturesOfBackendsMentionNoLibrary =
      members()
          .that(describe("are public API of a backend", BackendArchitectureTest::isApi))
          .should(
              ArchCondition.from(
                  describe(
                      "mention only types of Java and the SPI",
                      member -> signature(member).allMatch(BackendArchitectureTest::isOurs))));

  @ArchTest
  static final ArchRule publicTypesOfBackendsExtendNoLibrary =
      classes()
          .that(describe("are public API of a backend", BackendArchitectureTest::isApi))
          .should(
              ArchCondition.from(
                  describe(
                      "extend and implement only types of Java and the SPI",
                      type ->
                          Stream.concat(
                                  type.getRawSuperclass().stream(),
                                  type.getRawInterfaces().stream())
                              .allMatch(BackendArchitectureTest::isOurs))));

  @ArchTest
  static final ArchRule everyPackageIsNullMarked =
      classes()
          .should(
              ArchCondition.from(
                  describe(
                      "be in a @NullMarked package",
                      type -> type.getPackage().isAnnotatedWith(NullMarked.class))));

  private static boolean isApi(JavaMember member) {
    return isApi(member.getOwner())
        && (member.getModifiers().contains(PUBLIC) || member.getModifiers().contains(PROTECTED));
  }

  private static boolean isApi(JavaClass type) {
    return resideInAnyPackage(BACKENDS).test(type)
        && type.getModifiers().contains(PUBLIC)
        && type.getEnclosingClass().map(BackendArchitectureTest::isApi).orElse(true);
  }

  private static Stream<JavaClass> signature(JavaMember member) {
    Stream<JavaClass> thrown =
        member instanceof JavaCodeUnit code ? code.getExceptionTypes().stream() : Stream.empty();
    return Stream.concat(member.getAllInvolvedRawTypes().stream(), thrown);
  }

  private static boolean isOurs(JavaClass type) {
    JavaClass base = type.getBaseComponentType();
    return base.isPrimitive() || resideInAnyPackage("java..", SPI, BACKENDS).test(base);
  }
}

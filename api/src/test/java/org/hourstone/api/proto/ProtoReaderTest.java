package org.hourstone.api.proto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtoReaderTest {
  private interface Writing {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] bytes(Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    writing.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static ProtoReader reader(byte[] bytes) {
    return new ProtoReader(bytes, 0, bytes.length);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, -1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE})
  void numbersAreReadInEveryForm(long number) throws Exception {
    byte[] bytes =
        bytes(
            out -> {
              out.writeInt64(1, number);
              out.writeSInt64(2, number);
              out.writeSFixed64(3, number);
              out.writeDouble(15, -0.0);
              out.writeFixed32(16, 7);
              out.writeString((1 << 29) - 1, "\u00fc");
            });
    ProtoReader in = reader(bytes);

    assertThat(in.next()).isTrue();
    assertThat(in.number()).isEqualTo(number);
    assertThat(in.next()).isTrue();
    assertThat(in.signed()).isEqualTo(number);
    assertThat(in.next()).isTrue();
    assertThat(in.fixed()).isEqualTo(number);
    assertThat(in.next()).isTrue();
    assertThat(in.field()).isEqualTo(15);
    assertThat(Double.doubleToRawLongBits(in.decimal())).isEqualTo(Long.MIN_VALUE);
    assertThat(in.next()).isTrue(); // passed, whatever it is
    assertThat(in.next()).isTrue();
    assertThat(in.field()).isEqualTo((1 << 29) - 1);
    assertThat(in.text()).isEqualTo("\u00fc");
    assertThat(in.next()).isFalse();
  }

  /** Of each length, with bytes of another message behind them or at the end of the array. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 20})
  void numbersOfEachLengthAreReadWhateverFollows(int others) throws Exception {
    Random random = new Random(11);
    for (int bits = 0; bits < Long.SIZE; bits++) {
      long least = 1L << bits;
      for (long number : new long[] {least, least - 1, least | (random.nextLong() & (least - 1))}) {
        byte[] message = bytes(out -> out.writeInt64(1, number));
        byte[] bytes = Arrays.copyOf(message, message.length + others);
        for (int i = message.length; i < bytes.length; i++) {
          bytes[i] = (byte) random.nextInt();
        }
        ProtoReader in = new ProtoReader(bytes, 0, message.length);

        assertThat(in.next()).isTrue();
        assertThat(in.number()).isEqualTo(number);
        assertThat(in.next()).isFalse();

        ProtoReader cutOff = new ProtoReader(bytes, 0, message.length - 1);
        assertThatThrownBy(cutOff::next).isInstanceOf(UnreadableException.class);
      }
    }
  }

  @Test
  void aMessageIsEnteredAndLeftFromAnywhereInIt() throws Exception {
    byte[] inner = bytes(out -> out.writeInt64(1, 5));
    byte[] bytes =
        bytes(
            out -> {
              out.writeByteArray(1, inner);
              out.writeInt64(2, 6);
            });
    for (boolean readsAll : new boolean[] {true, false}) {
      ProtoReader in = reader(bytes);
      assertThat(in.next()).isTrue();
      assertThat(in.isRange()).isTrue();
      int begin = in.from();
      int outer = in.enter();
      assertThat(in.next()).isTrue();
      assertThat(in.fieldAt()).isEqualTo(begin);
      assertThat(in.number()).isEqualTo(5);
      assertThat(in.next()).isFalse();
      in.rewind(begin);
      assertThat(in.hasMore()).isTrue();
      assertThat(!readsAll || in.next()).isTrue();
      in.leave(outer);
      assertThat(in.next()).isTrue();
      assertThat(in.isRange()).isFalse();
      assertThat(in.number()).isEqualTo(6);
      assertThat(in.to()).isEqualTo(bytes.length);
      assertThat(in.next()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "08,                       a number is cut off",
    "0880,                     a number is cut off",
    "0880808080808080808080,   a number has more than ten bytes",
    "00,                       there is no field 0",
    "808080801001,             there is no field 536870912",
    "0b,                       there is no wire type 3",
    "0c,                       there is no wire type 4",
    "0f,                       there is no wire type 7",
    "0900000000000000,         a field is longer than its message",
    "0a05aabbccdd,             a field is longer than its message",
    "0affffffffffffffffff01,   a field is longer than its message",
    "0dffffff,                 a field is longer than its message",
  })
  void bytesThatAreNoFieldAreRefused(String hex, String why) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(reader(bytes)::next)
        .isInstanceOf(UnreadableException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("before byte");
  }

  @Test
  void aFieldOfAnotherTypeIsRefused() throws Exception {
    ProtoReader in = reader(bytes(out -> out.writeInt64(1, 5)));
    assertThat(in.next()).isTrue();

    assertThatThrownBy(in::fixed).hasMessageContaining("field 1 has wire type 0 instead of 1");
    assertThatThrownBy(in::text).hasMessageContaining("wire type 0 instead of 2");
    assertThatThrownBy(in::enter).hasMessageContaining("wire type 0 instead of 2");
    assertThat(in.number()).isEqualTo(5);
  }

  @Test
  void aTextMustBeUtf8() throws Exception {
    ProtoReader in = reader(bytes(out -> out.writeByteArray(1, new byte[] {(byte) 0xFF})));
    assertThat(in.next()).isTrue();

    assertThatThrownBy(in::text).hasMessageContaining("a text is not UTF-8");
  }

  /** The bytes around a message are another's. */
  @Test
  void nothingOutsideAMessageIsRead() throws Exception {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[30];
      random.nextBytes(bytes);
      ProtoReader in = new ProtoReader(bytes, 10, 20);
      try {
        while (in.next()) {
          assertThat(in.fieldAt()).isBetween(10, 19);
          assertThat(in.to()).isBetween(11, 20);
          if (in.isRange()) {
            assertThat(in.from()).isBetween(11, in.to());
          }
        }
      } catch (UnreadableException e) {
        assertThat(e.why()).isNotEmpty();
      }
    }
    assertThat(new ProtoReader().next()).isFalse();
  }

  /** Fields of several lengths, some longer than 127 or with other numbers, some cut off. */
  @Test
  void fieldsArePassedWhereNextWouldBeAfterThem() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 2000; round++) {
      byte[] whole =
          bytes(
              out -> {
                int fields = random.nextInt(6);
                for (int i = 0; i < fields; i++) {
                  int number = random.nextInt(8) == 0 ? 2 + random.nextInt(20) : 1;
                  out.writeByteArray(number, new byte[random.nextInt(random.nextInt(300) + 1)]);
                }
              });
      byte[] message = Arrays.copyOf(whole, whole.length - random.nextInt(whole.length + 1) / 9);
      ProtoReader in = reader(message);
      int passed = in.pass(1);
      ProtoReader other = reader(message);
      int at = 0;
      while (at < passed) {
        assertThat(other.next()).isTrue();
        assertThat(other.field()).isEqualTo(1);
        at = other.to();
      }
      assertThat(at).isEqualTo(passed);
      boolean isShort = passed < message.length - 1 && message[passed] == 10;
      if (isShort && message[passed + 1] >= 0) { // then it is cut off
        assertThatThrownBy(in::next).isInstanceOf(UnreadableException.class);
      }
    }
  }
}

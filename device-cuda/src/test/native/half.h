// Conversions between float and the two 16-bit formats, rounding to nearest
// even. Part of NVRTC's prelude too, so it must stand alone.
#ifndef FAKE_HALF
#define FAKE_HALF
static inline unsigned fake_bits(float value) {
  unsigned bits;
  __builtin_memcpy(&bits, &value, 4);
  return bits;
}

static inline float fake_float(unsigned bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

static inline unsigned short fake_f2bf(float value) {
  unsigned bits = fake_bits(value);
  if (value != value) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline float fake_bf2f(unsigned short value) { return fake_float((unsigned)value << 16); }

static inline unsigned short fake_f2h(float value) {
  unsigned bits = fake_bits(value), sign = (bits >> 16) & 0x8000u, size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return 0x7fff;
  if (size >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);  // rounds to infinity
  if (size < 0x38800000u) {
    // Subnormal: adding 0.5 lets the addition round at the last bit of a half.
    float shifted = fake_float(size) + 0.5f;
    return (unsigned short)(sign | (fake_bits(shifted) - 0x3f000000u));
  }
  unsigned rounded = size - 0x38000000u + 0xfffu + ((size >> 13) & 1u);
  return (unsigned short)(sign | (rounded >> 13));
}

static inline float fake_h2f(unsigned short value) {
  unsigned sign = (value & 0x8000u) << 16, size = value & 0x7fffu;
  if (size >= 0x7c00u) return fake_float(sign | 0x7f800000u | ((size & 0x3ffu) << 13));
  if (size >= 0x400u) return fake_float(sign | ((size << 13) + 0x38000000u));
  float tiny = (float)size * 5.9604644775390625e-8f;  // 2^-24, exact
  return fake_float(sign | fake_bits(tiny));
}
#endif

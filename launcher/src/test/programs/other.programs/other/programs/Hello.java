package other.programs;

import java.util.Arrays;

final class Hello {
    private Hello() {}

    static void main(String[] args) {
        System.out.println("hello " + Arrays.toString(args));
    }
}

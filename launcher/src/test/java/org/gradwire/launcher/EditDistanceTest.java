package org.gradwire.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditDistanceTest {
    @ParameterizedTest
    @CsvSource({
        "train,train,0",
        "tarin,train,1",
        "trian,train,1",
        "trai,train,1",
        "ttrain,train,1",
        "train,brain,1",
        "'',abc,3",
        "abc,'',3",
        "hello,hybrid,5"
    })
    void countsLettersPutInLeftOutReplacedOrSwapped(String one, String other, int edits) {
        assertEquals(edits, EditDistance.between(one, other));
        assertEquals(edits, EditDistance.between(other, one));
    }
}

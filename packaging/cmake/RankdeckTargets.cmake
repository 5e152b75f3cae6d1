# One interface target carries what every first-party target shares; one function makes the library of a folder.
add_library(rankdeck_options INTERFACE)
target_include_directories(rankdeck_options INTERFACE ${CMAKE_SOURCE_DIR})
# A value that does not fit is never cut silently (-Wconversion). A change of sign alone is let pass: Qt counts in int and the
# standard library in size_t, and a cast at each meeting of the two would hide the ones that matter.
# Compiled as one with its neighbours (see below), a file's local names meet constants that it never sees by itself.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(rankdeck_shadow -Wshadow=local -Wno-subobject-linkage)  # the latter takes each included file for a header
else()
    set(rankdeck_shadow -Wshadow)
endif()
target_compile_options(rankdeck_options INTERFACE -Wall -Wextra -Wpedantic ${rankdeck_shadow} -Wnon-virtual-dtor -Woverloaded-virtual -Wconversion -Wno-sign-conversion
    $<$<BOOL:${RANKDECK_WERROR}>:-Werror>)
# GCC 12 sees overlapping, endless and overflowing copies in std::string (GCC bug 105651; the latter two only through a precompiled header, in
# which it forgets that the string is the system's) and reads of empty std::optional where there are none
target_compile_options(rankdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-maybe-uninitialized>)
# From 13 on, GCC takes the path by which a value of a JSON text is found, a temporary, for what the reference that is returned belongs to.
target_compile_options(rankdeck_options INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)
# A unit of a room needs 1 GB of memory. To collect garbage on the way to it costs a tenth of the time.
if(CMAKE_UNITY_BUILD)
    target_compile_options(rankdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100 --param=ggc-min-heapsize=600000>)
endif()
if(RANKDECK_SANITIZE)
    target_compile_options(rankdeck_options INTERFACE -fsanitize=${RANKDECK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(rankdeck_options INTERFACE -fsanitize=${RANKDECK_SANITIZE})
endif()
find_package(Threads REQUIRED)
target_link_libraries(rankdeck_options INTERFACE Threads::Threads)
target_compile_options(rankdeck_options INTERFACE -pthread)  # as libraries of others say it: precompiled headers want one word from all

# Most of the product waits for nodes and people, so a release is optimised lightly: a third less time to compile than at -O3.
# What reads logs and checkpoints waits for the processor and is optimised fully (FAST).
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
add_library(rankdeck_fast INTERFACE)
target_link_libraries(rankdeck_fast INTERFACE rankdeck_options)
target_compile_options(rankdeck_fast INTERFACE $<$<CONFIG:Release>:-O3>)

# Headers that nearly every file of a kind includes, compiled once: of the standard library for core, with Qt's for the window,
# with GoogleTest's for the tests.
set(std_headers <algorithm> <chrono> <cstdint> <functional> <future> <map> <memory> <mutex> <optional> <set> <string> <string_view> <thread>
    <utility> <variant> <vector>)
function(rankdeck_headers name)
    cmake_parse_arguments(ARG "" "" "HEADERS;LINKS" ${ARGN})
    add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/packaging/cmake/precompiled.cpp)
    target_link_libraries(${name} PUBLIC rankdeck_options ${ARG_LINKS})
    target_precompile_headers(${name} PRIVATE ${std_headers} ${ARG_HEADERS})
endfunction()
rankdeck_headers(rankdeck_std_headers)
rankdeck_headers(rankdeck_fast_headers LINKS rankdeck_fast)

# Where CMAKE_UNITY_BUILD is on, the files of a room are compiled as one unit: what they include is read once for all of them. Names
# of the files' own are then one namespace in each room. CMake's own units name the files absolutely, which keeps the compiler cache
# from serving another clone. Leaves in the variable what is to be compiled; ALONE: files that stay by themselves.
function(rankdeck_units name variable)
    cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
    if(NOT CMAKE_UNITY_BUILD)
        return()
    endif()
    set(compiled)
    set(rooms)
    foreach(source ${${variable}})
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
        if(file IN_LIST ARG_ALONE)
            list(APPEND compiled ${source})
            continue()
        endif()
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE file)
        cmake_path(GET file PARENT_PATH room)
        string(MAKE_C_IDENTIFIER "${room}" room)
        list(APPEND rooms ${room})
        string(APPEND text_${room} "#include \"${file}\"\n")
    endforeach()
    list(REMOVE_DUPLICATES rooms)
    foreach(room ${rooms})
        set(unit ${CMAKE_CURRENT_BINARY_DIR}/${name}_units/${room}.cpp)
        file(CONFIGURE OUTPUT ${unit} CONTENT "${text_${room}}" @ONLY)
        list(APPEND compiled ${unit})
    endforeach()
    set(${variable} ${compiled} PARENT_SCOPE)
endfunction()

# rankdeck_library(name [FAST] [DEPENDS target…] [WITHOUT folder…] [ALONE file…]): all .cpp of the calling folder and the rooms in it,
# but those folders that are libraries of their own.
function(rankdeck_library name)
    cmake_parse_arguments(ARG "FAST" "" "DEPENDS;WITHOUT;ALONE" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    foreach(folder ${ARG_WITHOUT})
        list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    endforeach()
    if(NOT sources)
        add_library(${name} INTERFACE)
        target_link_libraries(${name} INTERFACE rankdeck_options ${ARG_DEPENDS})
        return()
    endif()
    rankdeck_units(${name} sources ALONE ${ARG_ALONE})
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(${name} PUBLIC rankdeck_options ${ARG_DEPENDS})
    if(ARG_FAST)
        target_link_libraries(${name} PRIVATE rankdeck_fast)
        target_precompile_headers(${name} REUSE_FROM rankdeck_fast_headers)
    else()
        target_precompile_headers(${name} REUSE_FROM rankdeck_std_headers)
    endif()
endfunction()

# rankdeck_test(name [DEPENDS target…] [TIMEOUT s] [COST s] [LABELS l…] [WITHOUT folder…] [SLOW pattern…] [ALONE file…]): all .cpp of the calling
# folder and the rooms in it as one GoogleTest program. Tests that match a pattern of SLOW (as in --gtest_filter) get the label slow:
# they run in packaging/test.sh --all only.
function(rankdeck_test name)
    cmake_parse_arguments(ARG "" "TIMEOUT;COST" "DEPENDS;LABELS;ENVIRONMENT;WITHOUT;SLOW;ALONE" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    foreach(folder ${ARG_WITHOUT})
        list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
    endforeach()
    if(NOT sources)
        return()
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 120)
    endif()
    rankdeck_units(${name} sources ALONE ${ARG_ALONE})
    add_executable(${name} ${sources})
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} rankdeck_testbed GTest::gtest GTest::gmock)
    if(NOT "qt" IN_LIST ARG_LABELS)
        target_link_libraries(${name} PRIVATE GTest::gtest_main)
        target_precompile_headers(${name} REUSE_FROM rankdeck_test_headers)
    endif()
    set(properties TIMEOUT ${ARG_TIMEOUT})
    if(ARG_COST)  # the dearest begin first, so that none is alone at the end
        list(APPEND properties COST ${ARG_COST})
    endif()
    if(ARG_ENVIRONMENT)
        list(APPEND properties ENVIRONMENT "${ARG_ENVIRONMENT}")
    endif()
    list(JOIN ARG_SLOW ":" slow)
    foreach(kind quick slow)
        if("${kind}" STREQUAL "slow" AND "${slow}" STREQUAL "")
            continue()
        endif()
        set(labels ${ARG_LABELS})
        set(filter "-${slow}")
        if("${kind}" STREQUAL "slow")
            list(APPEND labels slow)
            set(filter "${slow}")
        endif()
        gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX ${name}. TEST_LIST ${name}_${kind}
            TEST_FILTER "${filter}" PROPERTIES ${properties} LABELS "${labels}")
    endforeach()
endfunction()

# Common build rules: an interface target with the options of all first-party targets, and functions that make libraries and tests.
add_library(rankdeck_options INTERFACE)
target_include_directories(rankdeck_options INTERFACE ${CMAKE_SOURCE_DIR})
# Narrowing conversions are errors to fix (-Wconversion). Sign conversions are allowed: Qt counts in int and the standard
# library in size_t, and a cast wherever they meet would hide the important casts.
# In a unity build (see below), local names of a file may shadow constants of its neighbours, hence the weaker warning.
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    set(rankdeck_shadow -Wshadow=local -Wno-subobject-linkage)  # -Wsubobject-linkage treats all included files as headers
else()
    set(rankdeck_shadow -Wshadow)
endif()
target_compile_options(rankdeck_options INTERFACE -Wall -Wextra -Wpedantic ${rankdeck_shadow} -Wnon-virtual-dtor -Woverloaded-virtual -Wconversion -Wno-sign-conversion
    $<$<BOOL:${RANKDECK_WERROR}>:-Werror>)
# False warnings of GCC 12: overlapping, unbounded and overflowing copies in std::string (GCC bug 105651; the latter two only with a
# precompiled header, in which GCC forgets that std::string is a system header), and reads of empty std::optional.
target_compile_options(rankdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-maybe-uninitialized>)
# False warning since GCC 13: a JSON lookup takes a temporary path, and GCC assumes that the returned reference points into it.
target_compile_options(rankdeck_options INTERFACE $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)
# Compiling a unity unit needs 1 GB of memory. Garbage collection below that size would cost a tenth of the time.
if(CMAKE_UNITY_BUILD)
    target_compile_options(rankdeck_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-expand=100 --param=ggc-min-heapsize=600000>)
endif()
if(RANKDECK_SANITIZE)
    target_compile_options(rankdeck_options INTERFACE -fsanitize=${RANKDECK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
    target_link_options(rankdeck_options INTERFACE -fsanitize=${RANKDECK_SANITIZE})
endif()
find_package(Threads REQUIRED)
target_link_libraries(rankdeck_options INTERFACE Threads::Threads)
target_compile_options(rankdeck_options INTERFACE -pthread)  # as in third-party targets, because precompiled headers need equal options

# Most of the product waits for nodes and people, so a release uses -O1, which compiles in a third less time than -O3.
# Code that reads logs and checkpoints is limited by the processor, so its libraries are fully optimised (FAST).
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
add_library(rankdeck_fast INTERFACE)
target_link_libraries(rankdeck_fast INTERFACE rankdeck_options)
target_compile_options(rankdeck_fast INTERFACE $<$<CONFIG:Release>:-O3>)

# Precompiled headers, for headers that nearly all files include: the standard library for core, plus Qt for the window,
# plus GoogleTest for the tests.
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

# With CMAKE_UNITY_BUILD, the files of a room (a folder) are compiled as one unit, so their includes are read only once. File-local
# names of a room then share a namespace. CMake's own unity units contain absolute paths, so another clone could not reuse the
# compiler cache. Replaces the sources in the variable by the files to compile. ALONE: files that are compiled separately.
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

# rankdeck_library(name [FAST] [DEPENDS target…] [WITHOUT folder…] [ALONE file…]): a library of all .cpp files below the calling
# folder. WITHOUT: folders that are libraries of their own.
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

# rankdeck_test(name [DEPENDS target…] [TIMEOUT s] [COST s] [LABELS l…] [WITHOUT folder…] [SLOW pattern…] [ALONE file…]): all .cpp files
# below the calling folder as one GoogleTest program. Tests that match a pattern of SLOW (as in --gtest_filter) get the label slow
# and run only in packaging/test.sh --all.
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
    if(ARG_COST)  # CTest starts the slowest tests first, so that none runs alone at the end
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

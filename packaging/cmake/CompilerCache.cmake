# Uses ccache if it is installed, so that a second clone in another folder reuses the results of the first one.
#   CCACHE_BASEDIR, CCACHE_NOHASHDIR   paths below the source folder are compared relative to it
#   CCACHE_SLOPPINESS                  needed for precompiled headers, with GCC's -fpch-preprocess
option(RANKDECK_CCACHE "Compile through ccache when it is installed" ON)
find_program(RANKDECK_CCACHE_PROGRAM ccache)
if(RANKDECK_CCACHE AND RANKDECK_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${RANKDECK_CCACHE_PROGRAM})
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
